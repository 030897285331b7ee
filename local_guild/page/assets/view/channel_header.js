// The line above the messages: where one is, and the page's few switches.

import { computed, inject } from "vue";
import { isPrivate } from "../protocol/permissions.js";
import { theme, THEMES, nextTheme } from "../state/theme.js";
import { Icon } from "./icon.js";

export const ChannelHeader = {
  name: "ChannelHeader",
  components: { Icon },
  setup() {
    const session = inject("session");
    const desk = inject("desk");
    const channel = computed(() => session.channel.value);
    const icon = computed(() => {
      if (!session.guild.value) return "letter";
      return channel.value && isPrivate(session.guild.value, channel.value) ? "lock" : "hash";
    });
    const look = computed(() => THEMES[theme.value]);
    return { session, desk, channel, icon, look, nextTheme };
  },
  template: `
    <header class="channel-head">
      <button type="button" class="icon-button only-narrow" aria-label="Show channels" :aria-expanded="desk.drawer.value"
        @click="desk.drawer.value = true"><Icon name="menu" /></button>
      <Icon :name="icon" /><h2><bdi>{{ session.title.value }}</bdi></h2>
      <p class="topic"><bdi>{{ channel?.topic }}</bdi></p>
      <button v-if="!desk.strip.value" type="button" class="icon-button" aria-label="Show things to try" title="Things to try"
        @click="desk.showStrip(true)"><Icon name="help" /></button>
      <button type="button" class="icon-button" :aria-label="look.label" :title="look.label" @click="nextTheme"><Icon :name="look.icon" /></button>
      <button v-if="session.guild.value" type="button" class="icon-button" aria-label="Events" title="Events"
        @click="desk.events.value = true"><Icon name="calendar" /></button>
      <button v-if="session.guild.value" type="button" class="icon-button" aria-label="Who can read this channel" title="Who can read this channel"
        :aria-pressed="desk.members.value" @click="desk.toggleMembers()"><Icon name="people" /></button>
    </header>`,
};
