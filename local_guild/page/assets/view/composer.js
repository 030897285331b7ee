// Where one writes: drafts per channel, replies, files, and commands with their options.

import { computed, inject, nextTick, onMounted, ref, watch } from "vue";
import { CommandForm } from "./command_form.js";
import { Icon } from "./icon.js";
import { TextBox } from "./text_box.js";
import { LONGEST, Writing } from "./writing.js";

const COUNTED_FROM = 1600;

function typingSentence(session, channelId) {
  const ids = session.typists.in(channelId);
  const names = ids.map((id) => session.guilds.userName(session.guild.value, id) ?? "Someone");
  if (names.length === 0) return "";
  if (names.length > 3) return "Several people are typing …";
  const last = names.pop();
  return names.length === 0 ? `${last} is typing …` : `${names.join(", ")} and ${last} are typing …`;
}

export const Composer = {
  name: "ChatComposer",
  components: { CommandForm, Icon, TextBox },
  setup() {
    const session = inject("session");
    const desk = inject("desk");
    const writing = new Writing(session, desk);
    const box = ref(null);
    const picker = ref(null);
    const { channelId, text, files, replyTo, command, left, mayWrite, mayAttach } = writing;
    const title = computed(() => (session.guild.value ? `#${session.title.value}` : session.title.value));
    const placeholder = computed(() => (mayWrite.value ? `Message ${title.value}` : "You may read here, but not write."));
    const waiting = computed(() => [...session.interactions.waiting.values()].map((one) => one.label).find(Boolean));
    const typing = computed(() => typingSentence(session, channelId.value));
    const focus = () => nextTick(() => box.value?.focusEnd());
    // On a phone, focus would push the keyboard over the channel that was just opened.
    const focusUnlessTouch = () => matchMedia("(hover: hover)").matches && focus();

    function onPicked(event) {
      writing.addFiles(event.target.files);
      event.target.value = "";
      focus();
    }

    watch(desk.composerCalls, focus);
    watch(channelId, () => {
      files.value = [];
      focusUnlessTouch();
    });
    onMounted(focusUnlessTouch);
    return {
      session, writing, box, picker, channelId, text, files, replyTo, command, left, mayWrite, mayAttach, title,
      placeholder, waiting, typing, LONGEST, COUNTED_FROM, onPicked,
    };
  },
  template: `
    <div class="composer" @dragover.prevent @drop.prevent="writing.addFiles($event.dataTransfer.files)">
      <p v-if="replyTo" class="composer-note">Replying to <b><bdi>{{ session.nameOf(replyTo.author) }}</bdi></b>
        <button type="button" class="icon-button" aria-label="Do not reply" @click="writing.dropReply()"><Icon name="close" /></button></p>
      <ul v-if="files.length" class="composer-files" aria-label="Files to send">
        <li v-for="file in files" :key="file.name + file.size"><Icon name="clip" /><bdi>{{ file.name }}</bdi>
          <button type="button" class="icon-button" :aria-label="'Remove ' + file.name" @click="writing.removeFile(file)"><Icon name="close" /></button></li>
      </ul>
      <CommandForm v-if="command" :key="channelId" :entry="command" @close="writing.leaveCommand()" />
      <form v-else class="composer-line" @submit.prevent="writing.submit()">
        <template v-if="mayAttach && mayWrite">
          <input ref="picker" class="visually-hidden" type="file" multiple tabindex="-1" aria-hidden="true" @change="onPicked" />
          <button type="button" class="icon-button" aria-label="Attach a file" title="Attach a file" @click="picker.click()"><Icon name="clip" /></button>
        </template>
        <TextBox id="composer" ref="box" v-model="text" :label="'Message ' + title" :placeholder="placeholder" :disabled="!mayWrite"
          commands @submit="writing.submit()" @cancel="writing.dropReply()" @recall="writing.editLast()" @command="(entry) => writing.chooseCommand(entry)" @files="(list) => writing.addFiles(list)" />
        <span v-if="left < LONGEST - COUNTED_FROM" class="counter" :class="{ over: left < 0 }" role="status">{{ left }}</span>
        <button type="submit" class="icon-button send" aria-label="Send" title="Send (Enter)"
          :disabled="left < 0 || !mayWrite || (!text.trim() && !files.length)"><Icon name="send" /></button>
      </form>
      <p class="typing" role="status" aria-live="polite"><template v-if="left < 0">A message has at most {{ LONGEST }} characters.</template>
        <template v-else-if="typing"><span class="dots" aria-hidden="true"><i></i><i></i><i></i></span><bdi>{{ typing }}</bdi></template>
        <template v-else-if="waiting">Waiting for the bot: <bdi>{{ waiting }}</bdi></template></p>
    </div>`,
};
