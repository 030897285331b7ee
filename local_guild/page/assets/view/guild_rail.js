// The guilds at the far left; shown when there is more than one, or when there are direct messages.

import { computed, inject } from "vue";
import { Icon } from "./icon.js";

function initials(name) {
  return name.split(/\s+/).filter(Boolean).slice(0, 3).map((word) => [...word][0]).join("");
}

export const GuildRail = {
  name: "GuildRail",
  components: { Icon },
  setup() {
    const session = inject("session");
    const guilds = computed(() => [...session.guilds.all.values()]);
    const direct = computed(() => [...session.guilds.direct.values()]);
    const unread = (guild) =>
      session.guilds.outline(guild).some((section) => section.entries.some((one) => session.reads.isUnread(one.channel)));
    const openDirect = () => session.openChannel(direct.value[0].id);
    return { session, guilds, direct, unread, openDirect, initials };
  },
  template: `
    <nav v-if="guilds.length > 1 || direct.length" class="rail" aria-label="Guilds">
      <button v-if="direct.length" type="button" class="rail-item" :aria-current="!session.guild.value || null"
        aria-label="Direct messages" title="Direct messages" @click="openDirect"><Icon name="letter" /></button>
      <button v-for="guild in guilds" :key="guild.id" type="button" class="rail-item" :class="{ unread: unread(guild) }"
        :aria-current="guild.id === session.guild.value?.id || null" :aria-label="guild.name" :title="guild.name"
        @click="session.openGuild(guild)">{{ initials(guild.name) }}</button>
    </nav>`,
};
