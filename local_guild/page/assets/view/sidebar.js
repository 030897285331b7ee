// The channels of the guild one is in: categories, threads under their channel, locks on private ones.

import { computed, inject } from "vue";
import { isPrivate } from "../protocol/permissions.js";
import { Icon } from "./icon.js";
import { MemberSwitcher } from "./member_switcher.js";

const ChannelLink = {
  name: "ChannelLink",
  components: { Icon },
  props: { channel: { type: Object, required: true }, icon: { type: String, required: true }, label: { type: String, required: true } },
  setup(props) {
    const session = inject("session");
    const desk = inject("desk");
    const current = computed(() => session.state.channelId === props.channel.id);
    const unread = computed(() => session.reads.isUnread(props.channel) && !current.value);
    const mentions = computed(() => session.reads.mentions[props.channel.id] ?? 0);
    const href = computed(() =>
      session.navigation.link(session.guilds.guildOf(props.channel.id)?.id ?? "@me", props.channel.id, null, session.member),
    );
    const state = computed(() => {
      const words = [];
      if (props.icon === "lock") words.push("private");
      if (mentions.value) words.push(mentions.value === 1 ? "1 mention" : `${mentions.value} mentions`);
      else if (unread.value) words.push("unread");
      return words.length ? `${props.label} (${words.join(", ")})` : props.label;
    });
    function open(event) {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      desk.drawer.value = false;
      session.openChannel(props.channel.id);
    }
    return { current, unread, mentions, href, state, open };
  },
  template: `
    <a class="channel" :class="{ unread }" :href="href" :aria-current="current ? 'page' : null" :aria-label="state" @click="open">
      <Icon :name="icon" /><bdi>{{ label }}</bdi><span v-if="mentions" class="badge" aria-hidden="true">{{ mentions }}</span></a>`,
};

export const Sidebar = {
  name: "ChatSidebar",
  components: { ChannelLink, Icon, MemberSwitcher },
  setup() {
    const session = inject("session");
    const desk = inject("desk");
    const guild = computed(() => session.guild.value);
    const sections = computed(() => (guild.value ? session.guilds.outline(guild.value) : []));
    const direct = computed(() => (guild.value ? [] : [...session.guilds.direct.values()]));
    const icon = (channel) => (isPrivate(guild.value, channel) ? "lock" : "hash");
    return { session, desk, guild, sections, direct, icon };
  },
  template: `
    <div class="sidebar">
      <header class="sidebar-head"><h1><bdi>{{ guild?.name ?? 'Direct messages' }}</bdi></h1>
        <button type="button" class="icon-button only-narrow" aria-label="Close the list of channels" @click="desk.drawer.value = false"><Icon name="close" /></button>
      </header>
      <nav class="channels" aria-label="Channels">
        <section v-for="section in sections" :key="section.category?.id ?? ''">
          <h2 v-if="section.category"><bdi>{{ section.category.name }}</bdi></h2>
          <ul>
            <li v-for="entry in section.entries" :key="entry.channel.id">
              <ChannelLink :channel="entry.channel" :icon="icon(entry.channel)" :label="entry.channel.name" />
              <ul v-if="entry.threads.length" class="threads">
                <li v-for="thread in entry.threads" :key="thread.id">
                  <ChannelLink :channel="thread" :icon="thread.type === 12 ? 'lock' : 'thread'" :label="thread.name" /></li>
              </ul>
            </li>
          </ul>
        </section>
        <ul v-if="direct.length">
          <li v-for="channel in direct" :key="channel.id"><ChannelLink :channel="channel" icon="letter" :label="session.titleOf(channel)" /></li>
        </ul>
        <p v-if="guild && sections.length === 0" class="muted">There is no channel here that you may see.</p>
      </nav>
      <MemberSwitcher />
    </div>`,
};
