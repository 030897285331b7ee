// Who can read the channel one is in: what the right room means, made visible.

import { computed, inject } from "vue";
import { mayView } from "../protocol/permissions.js";
import { Avatar } from "./avatar.js";

const SHOWN = 200;

export const MemberPanel = {
  name: "MemberPanel",
  components: { Avatar },
  setup() {
    const session = inject("session");
    const desk = inject("desk");
    const viewers = computed(() => {
      const guild = session.guild.value;
      const channel = session.channel.value;
      if (!guild || !channel) return [];
      return [...guild.members.values()]
        .filter((member) => mayView(guild, channel, member.user.id))
        .map(({ user }) => ({ user, name: session.nameOf(user), colour: session.colourOf(user.id) }))
        .sort((a, b) => Number(a.user.bot ?? false) - Number(b.user.bot ?? false) || a.name.localeCompare(b.name));
    });
    const show = (user, event) => desk.showProfile(user, event.currentTarget);
    return { viewers, show, SHOWN };
  },
  template: `
    <aside class="members" aria-label="Who can read this channel">
      <h2>Can read this channel · {{ viewers.length }}</h2>
      <ul>
        <li v-for="one in viewers.slice(0, SHOWN)" :key="one.user.id">
          <button type="button" class="member" @click="show(one.user, $event)">
            <Avatar :id="one.user.id" :name="one.name" :bot="one.user.bot" />
            <bdi class="author" :style="one.colour && { '--role': one.colour }">{{ one.name }}</bdi>
            <span v-if="one.user.bot" class="tag">Bot</span></button></li>
      </ul>
    </aside>`,
};
