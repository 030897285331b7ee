// What a newcomer can try, one click each. Put away once, it stays away until asked for.

import { computed, inject, ref } from "vue";
import { attempt } from "../state/acts.js";
import { notify } from "../state/notices.js";
import { Icon } from "./icon.js";

export const TryStrip = {
  name: "TryStrip",
  components: { Icon },
  setup() {
    const session = inject("session");
    const desk = inject("desk");
    const playing = ref(false);
    const bot = computed(() => session.world.bot?.name ?? "Innkeeper");
    const tries = computed(() => [
      { text: "Bot remember that I play the violin", why: "it keeps what you tell it" },
      { text: `@${bot.value} what do you know about me?`, why: "it answers from what it knows" },
      { text: `@${bot.value} when did we beat the volcano?`, why: "play the sample week first: it quotes who said so, when and where" },
      { text: "/", why: "its commands" },
    ]);

    function insert(text) {
      desk.setDraft(session.state.channelId, "");
      desk.insert(session.state.channelId, text);
    }

    async function play() {
      playing.value = true;
      const done = await attempt(() => session.rest.playSampleWeek(session.guild.value.id));
      playing.value = false;
      if (done) notify("A week of chat has been played. Ask about it: when did we beat the volcano?", "info");
    }
    return { session, desk, playing, tries, insert, play };
  },
  template: `
    <section class="strip" aria-label="Things to try">
      <p class="strip-title">Try it</p>
      <ul>
        <li v-for="one in tries" :key="one.text"><button type="button" class="chip" :title="one.why" @click="insert(one.text)">{{ one.text === '/' ? '/ commands' : one.text }}</button></li>
        <li v-if="session.guild.value"><button type="button" class="chip chip-play" :disabled="playing" :aria-busy="playing"
          title="Fills the channels with a week of conversation, so that summaries have something to say" @click="play">
          <Icon name="play" />{{ playing ? 'Playing a week of chat …' : 'Play a sample week' }}</button></li>
      </ul>
      <button type="button" class="icon-button" aria-label="Put these hints away" title="Put away" @click="desk.showStrip(false)"><Icon name="close" /></button>
    </section>`,
};
