// A small card about one member, with what can be done: mention and message.

import { computed, inject } from "vue";
import { attempt } from "../state/acts.js";
import { writtenName } from "../text/mentions.js";
import { Avatar } from "./avatar.js";
import { Icon } from "./icon.js";
import { Popup } from "./popup.js";

export const ProfileCard = {
  name: "ProfileCard",
  components: { Avatar, Icon, Popup },
  props: { user: { type: Object, required: true }, anchor: { type: Object, required: true } },
  setup(props) {
    const session = inject("session");
    const desk = inject("desk");
    const guild = computed(() => session.guild.value);
    const member = computed(() => guild.value?.members.get(props.user.id));
    const roles = computed(() => (member.value?.roles ?? []).map((id) => guild.value.roles.get(id)?.name).filter(Boolean));
    const close = () => (desk.profile.value = null);
    function mention() {
      close();
      desk.insert(session.state.channelId, `@${member.value ? writtenName(guild.value, member.value) : props.user.username} `);
    }
    function write() {
      close();
      void attempt(async () => {
        const channel = await session.rest.openDirect(props.user.id);
        session.guilds.apply("CHANNEL_CREATE", channel);
        session.openChannel(channel.id);
      });
    }
    return { session, member, roles, close, mention, write };
  },
  template: `
    <Popup :anchor="anchor" :label="'About ' + session.nameOf(user)" @close="close">
      <div class="profile">
        <Avatar :id="user.id" :name="session.nameOf(user)" :bot="user.bot" />
        <div><b><bdi>{{ session.nameOf(user) }}</bdi></b> <span v-if="user.bot" class="tag">Bot</span>
          <small class="muted"><bdi>{{ user.username }}</bdi></small></div>
      </div>
      <p v-if="roles.length" class="popup-note"><bdi>{{ roles.join(' · ') }}</bdi></p>
      <button v-if="member" type="button" role="menuitem" class="popup-item" @click="mention"><Icon name="reply" />Mention</button>
      <button v-if="user.id !== session.member.id" type="button" role="menuitem" class="popup-item" @click="write"><Icon name="letter" />Write privately</button>
    </Popup>`,
};
