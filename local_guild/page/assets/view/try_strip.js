// What a newcomer can try: first one thing, the sample week; then what to ask about it, one click each. Put away once,
// it stays away until asked for.

import { computed, inject, ref } from "vue";
import { attempt } from "../state/acts.js";
import { notify } from "../state/notices.js";
import { recall, remember } from "../state/remembered.js";
import { Icon } from "./icon.js";

// For whoever somebody becomes in this browser. Of each guild whether the week was played there, or not wanted.
const playing = ref(false);
const weeks = ref(recall("sample-weeks", {}));

export const TryStrip = {
  name: "TryStrip",
  components: { Icon },
  setup() {
    const session = inject("session");
    const desk = inject("desk");
    const bot = computed(() => session.world.bot?.name ?? "Innkeeper");
    const elsewhere = new Set(session.world.guilds.filter((one) => one.sample_week_played).map((one) => one.id));
    const week = computed(() => {
      const id = session.guild.value?.id;
      return id === undefined ? "skipped" : elsewhere.has(id) ? "played" : weeks.value[id];
    });
    const tries = computed(() => [
      ...(week.value === "played" ? [
        { text: `@${bot.value} when did we beat the volcano?`, why: "it quotes who said so, when and where" },
        { text: `@${bot.value} where was the key?`, why: "it finds the answer to a question of days ago" },
        { text: `@${bot.value} who drove the library bus?`, why: "it knows who said it" },
      ] : []),
      { text: "Bot remember that I play the violin", why: "it keeps what you tell it" },
      { text: `@${bot.value} what do you know about me?`, why: "it answers from what it knows" },
      { text: "/", why: "its commands" },
    ]);

    function insert(text) {
      desk.setDraft(session.state.channelId, "");
      desk.insert(session.state.channelId, text);
    }

    function settle(became) {
      weeks.value = { ...weeks.value, [session.guild.value.id]: became };
      remember("sample-weeks", weeks.value);
    }

    async function play() {
      playing.value = true;
      const done = await attempt(() => session.rest.playSampleWeek(session.guild.value.id));
      playing.value = false;
      if (done) notify("A week of chat has been played. Ask about it: when did we beat the volcano?", "info");
      settle("played");
    }
    return { session, desk, playing, week, tries, insert, play, settle };
  },
  template: `
    <section class="strip" aria-label="Things to try">
      <template v-if="!week">
        <p class="strip-title strip-invites">New here? Let four friends chat for a week, then ask about it.</p>
        <button type="button" class="chip chip-play" :disabled="playing" :aria-busy="playing" @click="play">
          <Icon name="play" />{{ playing ? 'Playing a week of chat …' : 'Play a sample week' }}</button>
        <button type="button" class="chip" :disabled="playing" @click="settle('skipped')">Not now</button>
      </template>
      <template v-else>
        <p class="strip-title">Try it</p>
        <ul>
          <li v-for="one in tries" :key="one.text"><button type="button" class="chip" :title="one.why" @click="insert(one.text)">{{ one.text === '/' ? '/ commands' : one.text }}</button></li>
        </ul>
      </template>
      <button type="button" class="icon-button" aria-label="Put these hints away" title="Put away" @click="desk.showStrip(false)"><Icon name="close" /></button>
    </section>`,
};
