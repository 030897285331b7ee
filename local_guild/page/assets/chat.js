// The chat page: chooses a member, opens their session and lays out the parts.

import { nextTick, onBeforeUnmount, onMounted, provide, shallowRef, watch, watchEffect } from "vue";
import { readWorld } from "./protocol/rest.js";
import { Desk } from "./state/desk.js";
import { Navigation } from "./state/navigation.js";
import { recall, remember } from "./state/remembered.js";
import { Session } from "./state/session.js";
import { followTheme } from "./state/theme.js";
import { ChannelHeader } from "./view/channel_header.js";
import { Composer } from "./view/composer.js";
import { ConfirmDialog } from "./view/dialog_frame.js";
import { EventsDialog } from "./view/events_dialog.js";
import { GuildRail } from "./view/guild_rail.js";
import { MemberPanel } from "./view/member_panel.js";
import { MessageList } from "./view/message_list.js";
import { ModalDialog } from "./view/modal_dialog.js";
import { ProfileCard } from "./view/profile_card.js";
import { Sidebar } from "./view/sidebar.js";
import { ConnectionBar, NoticeList } from "./view/status_bars.js";
import { TryStrip } from "./view/try_strip.js";

const RETRY_MS = 1_500;

function chosenMember(world, navigation) {
  const members = world.guilds.flatMap((guild) => guild.members);
  const wanted = navigation.wantedMember();
  const byAddress = (one) => wanted && (one.id === wanted || one.name.toLowerCase() === wanted.toLowerCase());
  return members.find(byAddress) ?? members.find((one) => one.id === recall("member", "")) ?? members[0] ?? null;
}

// Everything that belongs to one member; keyed by the member, so that switching starts afresh.
const Visit = {
  name: "ChatVisit",
  components: {
    ChannelHeader, Composer, ConfirmDialog, ConnectionBar, EventsDialog, GuildRail, MemberPanel, MessageList, ModalDialog, ProfileCard, Sidebar, TryStrip,
  },
  props: { session: { type: Object, required: true } },
  setup(props) {
    const { session } = props;
    const desk = new Desk(session.member.id);
    provide("session", session);
    provide("desk", desk);

    function neighbour(step) {
      const guild = session.guild.value;
      if (!guild) return;
      const ids = session.guilds.outline(guild).flatMap((section) => section.entries.map((one) => one.channel.id));
      const at = ids.indexOf(session.state.channelId);
      session.openChannel(ids[(at + step + ids.length) % ids.length]);
    }

    function onKey(event) {
      if (event.altKey && event.key === "ArrowDown") neighbour(1);
      else if (event.altKey && event.key === "ArrowUp") neighbour(-1);
      else if (event.key === "Escape") desk.drawer.value = false;
      else return;
      if (event.altKey) event.preventDefault();
    }

    // The drawer takes the keyboard along, and gives it back.
    watch(desk.drawer, async (open) => {
      await nextTick();
      document.querySelector(open ? ".side [aria-current=page]" : "[aria-label='Show channels']")?.focus();
    });

    session.start();
    onBeforeUnmount(() => session.stop());
    const title = document.title.replace(/^\(\d+\) /, "");
    watchEffect(() => {
      const mentions = Object.values(session.reads.mentions).reduce((sum, one) => sum + one, 0);
      document.title = mentions > 0 ? `(${mentions}) ${title}` : title;
    });
    return { desk, onKey };
  },
  template: `
    <div class="visit" :class="{ 'drawer-open': desk.drawer.value }" @keydown="onKey">
      <a class="skip" href="#composer" @click.prevent="desk.callComposer()">Skip to the message box</a>
      <div class="side" :class="{ open: desk.drawer.value }"><GuildRail /><Sidebar /></div>
      <div v-if="desk.drawer.value" class="shade" @click="desk.drawer.value = false"></div>
      <main v-if="session.channel.value" class="room" :inert="desk.drawer.value">
        <ChannelHeader />
        <ConnectionBar />
        <div class="room-columns">
          <div class="conversation"><MessageList /><TryStrip v-if="desk.strip.value" /><Composer /></div>
          <MemberPanel v-if="desk.members.value && session.guild.value" />
        </div>
      </main>
      <main v-else class="room"><ConnectionBar /><p class="log-note">{{ session.state.ready ? 'Choose a channel.' : 'Entering …' }}</p></main>
      <ProfileCard v-if="desk.profile.value" :key="desk.profile.value.user.id" :user="desk.profile.value.user" :anchor="desk.profile.value.anchor" />
      <ConfirmDialog v-if="desk.confirmation.value" :question="desk.confirmation.value" />
      <EventsDialog v-if="desk.events.value && session.guild.value" />
      <ModalDialog v-if="session.state.modal" :key="session.state.modal.id" :modal="session.state.modal" />
    </div>`,
};

export default {
  name: "ChatPage",
  components: { NoticeList, Visit },
  props: { home: { type: String, required: true }, panel: { type: String, default: "" } },
  setup(props) {
    const navigation = new Navigation(props.home);
    const session = shallowRef(null);
    const trouble = shallowRef("");
    let world = null;
    let timer = 0;

    function become(member) {
      remember("member", member.id);
      session.value = new Session(member, world, navigation);
    }

    async function begin() {
      try {
        world = await readWorld();
        const member = chosenMember(world, navigation);
        trouble.value = member ? "" : "This world has no members yet.";
        if (member) become(member);
      } catch (reason) {
        trouble.value = `${reason.message} Trying again …`;
        timer = setTimeout(begin, RETRY_MS);
      }
    }

    provide("become", become);
    provide("panel", props.panel);
    followTheme();
    onMounted(begin);
    onBeforeUnmount(() => clearTimeout(timer));
    return { session, trouble };
  },
  template: `
    <div class="chat">
      <Visit v-if="session" :key="session.member.id" :session="session" />
      <p v-else class="log-note" role="status">{{ trouble || 'Opening the door …' }}</p>
      <NoticeList />
      <div id="chat-layers"></div>
    </div>`,
};
