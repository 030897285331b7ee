// Who you are, and becoming somebody else: in this window, or in a second one beside it.

import { computed, inject, ref } from "vue";
import { notify } from "../state/notices.js";
import { Avatar } from "./avatar.js";
import { Icon } from "./icon.js";
import { Popup } from "./popup.js";

const SHOWN = 40;
const SEARCH_FROM = 9;

function everyone(world) {
  const known = new Map();
  for (const guild of world.guilds) {
    const names = new Map(guild.roles.map((role) => [role.id, role.name]));
    for (const member of guild.members) {
      if (known.has(member.id)) continue;
      const roles = member.roles.map((id) => names.get(id)).filter(Boolean);
      known.set(member.id, { ...member, detail: roles.join(", ") });
    }
  }
  return [...known.values()];
}

export const MemberSwitcher = {
  name: "MemberSwitcher",
  components: { Avatar, Icon, Popup },
  setup() {
    const session = inject("session");
    const become = inject("become");
    const anchor = ref(null);
    const open = ref(false);
    const query = ref("");
    const members = everyone(session.world);
    // Until the gateway has described the guild, the name one signs in with has to do.
    const shownName = (member) => {
      for (const guild of session.guilds.all.values()) {
        const name = session.guilds.userName(guild, member.id);
        if (name) return name;
      }
      return member.name;
    };
    const me = computed(() => shownName(session.member));
    const shown = computed(() =>
      members.filter((one) => `${one.name} ${shownName(one)}`.toLowerCase().includes(query.value.toLowerCase())).slice(0, SHOWN),
    );
    function choose(member) {
      open.value = false;
      if (member.id !== session.member.id) become(member);
    }
    // Opened at once: what opens a window later than the press is blocked by browsers.
    const panel = inject("panel");
    async function openPanel() {
      const beside = window.open("about:blank", "innkeeper-panel");
      try {
        const { panel: address } = await session.rest.enter(panel, session.guild.value?.id);
        if (beside) beside.location = address;
        else location.assign(address);
      } catch (reason) {
        beside?.close();
        notify(reason.message);
      }
    }
    return { session, anchor, open, query, members, shown, shownName, me, choose, panel, openPanel, SEARCH_FROM };
  },
  template: `
    <div class="you">
      <button ref="anchor" type="button" class="you-button" aria-haspopup="menu" :aria-expanded="open"
        :aria-label="'You are ' + me + '. Switch member'" @click="open = !open">
        <Avatar :id="session.member.id" :name="me" />
        <span class="you-lines"><small>You are</small><b><bdi>{{ me }}</bdi></b></span><Icon name="chevron" />
      </button>
      <button v-if="panel" type="button" class="icon-button" title="Control panel" aria-label="Control panel" @click="openPanel">
        <Icon name="panel" /></button>
      <Popup v-if="open" :anchor="anchor" label="Switch member" prefer="above" @close="open = false">
        <p class="popup-note">Be somebody else. The arrow opens a second window, so that two can talk.</p>
        <input v-if="members.length >= SEARCH_FROM" v-model="query" type="search" class="field" data-autofocus
          aria-label="Search members" placeholder="Search members" />
        <div v-for="member in shown" :key="member.id" class="member-choice">
          <button type="button" role="menuitemradio" class="popup-item" :aria-checked="member.id === session.member.id" @click="choose(member)">
            <Avatar :id="member.id" :name="shownName(member)" />
            <span class="popup-lines"><bdi>{{ shownName(member) }}</bdi><small v-if="member.detail"><bdi>{{ member.detail }}</bdi></small></span>
            <Icon v-if="member.id === session.member.id" name="check" /></button>
          <a role="menuitem" class="icon-button" target="_blank" rel="noopener" :href="session.navigation.asMember(member)"
            :aria-label="'Open a window as ' + shownName(member)" :title="'Open a window as ' + shownName(member)"><Icon name="window" /></a>
        </div>
      </Popup>
    </div>`,
};
