// Where one writes: drafts per channel, replies, files, and commands with their options.

import { computed, inject, nextTick, onMounted, ref, shallowRef, watch } from "vue";
import { PERMISSION } from "../protocol/permissions.js";
import { sendMessage } from "../state/acts.js";
import { isSystem } from "../text/system_messages.js";
import { CommandForm } from "./command_form.js";
import { Icon } from "./icon.js";
import { TextBox } from "./text_box.js";

const LONGEST = 2000;
const COUNTED_FROM = 1600;
const TYPING_EVERY_MS = 8_000;

export const Composer = {
  name: "ChatComposer",
  components: { CommandForm, Icon, TextBox },
  setup() {
    const session = inject("session");
    const desk = inject("desk");
    const box = ref(null);
    const picker = ref(null);
    const files = shallowRef([]);
    let lastTyping = 0;
    let sending = Promise.resolve();

    const channelId = computed(() => session.state.channelId);
    const channel = computed(() => session.channel.value);
    const text = computed({
      get: () => desk.drafts[channelId.value] ?? "",
      set: (value) => {
        desk.setDraft(channelId.value, value);
        if (value && !value.startsWith("/")) announceTyping();
      },
    });
    const replyTo = computed(() => desk.replies.get(channelId.value) ?? null);
    const command = computed(() => desk.command.get(channelId.value) ?? null);
    const left = computed(() => LONGEST - [...text.value].length);
    const mayWrite = computed(() => Boolean(channel.value) && session.maySendIn(channel.value));
    const mayAttach = computed(() => session.may(PERMISSION.ATTACH_FILES));
    const title = computed(() => (session.guild.value ? `#${session.title.value}` : session.title.value));
    const placeholder = computed(() => (mayWrite.value ? `Message ${title.value}` : "You may read here, but not write."));
    const waiting = computed(() => [...session.interactions.waiting.values()].map((one) => one.label).find(Boolean));
    const typing = computed(() => {
      const names = session.typists.in(channelId.value).map((id) => session.guilds.userName(session.guild.value, id) ?? "Someone");
      if (names.length === 0) return "";
      if (names.length > 3) return "Several people are typing …";
      const last = names.pop();
      return names.length === 0 ? `${last} is typing …` : `${names.join(", ")} and ${last} are typing …`;
    });

    function announceTyping() {
      const now = Date.now();
      if (now - lastTyping < TYPING_EVERY_MS) return;
      lastTyping = now;
      // A typing sign that gets lost is not worth a word.
      session.rest.typing(channelId.value).catch(() => {});
    }

    function submit() {
      const target = channelId.value;
      const content = text.value.trim();
      const attached = files.value;
      const answered = replyTo.value;
      if ((!content && attached.length === 0) || left.value < 0 || !mayWrite.value) return;
      desk.setDraft(target, "");
      files.value = [];
      desk.replies.delete(target);
      lastTyping = 0;
      // One after the other, so that quick lines keep their order.
      sending = sending.then(async () => {
        if (await sendMessage(session, target, content, { replyTo: answered, files: attached })) return;
        desk.setDraft(target, desk.drafts[target] ? `${content}\n${desk.drafts[target]}` : content);
        if (answered && !desk.replies.has(target)) desk.replies.set(target, answered);
        if (channelId.value === target && files.value.length === 0) files.value = attached;
      });
    }

    function recallLast() {
      const mine = (one) => one.author.id === session.member.id && !isSystem(one);
      const last = session.timeline(channelId.value).rows.value.findLast(mine);
      if (last) desk.editing.value = last.id;
    }

    function chooseCommand(entry) {
      desk.setDraft(channelId.value, "");
      desk.command.set(channelId.value, entry);
    }

    function leaveCommand() {
      desk.command.delete(channelId.value);
      desk.callComposer();
    }

    function addFiles(list) {
      if (mayAttach.value) files.value = [...files.value, ...list].slice(0, 10);
    }

    function onPicked(event) {
      addFiles(event.target.files);
      event.target.value = "";
      focus();
    }

    const focus = () => nextTick(() => box.value?.focusEnd());
    watch(desk.composerCalls, focus);
    watch(channelId, () => {
      files.value = [];
      // On a phone, focus would push the keyboard over the channel that was just opened.
      if (matchMedia("(hover: hover)").matches) focus();
    });
    onMounted(() => matchMedia("(hover: hover)").matches && focus());
    return {
      session, desk, box, picker, files, text, replyTo, command, left, mayWrite, mayAttach, title, placeholder, waiting,
      typing, channelId, LONGEST, COUNTED_FROM, submit, recallLast, chooseCommand, leaveCommand, addFiles, onPicked,
      removeFile: (file) => (files.value = files.value.filter((one) => one !== file)),
    };
  },
  template: `
    <div class="composer" @dragover.prevent @drop.prevent="addFiles($event.dataTransfer.files)">
      <p v-if="replyTo" class="composer-note">Replying to <b><bdi>{{ session.nameOf(replyTo.author) }}</bdi></b>
        <button type="button" class="icon-button" aria-label="Do not reply" @click="desk.replies.delete(channelId)"><Icon name="close" /></button></p>
      <ul v-if="files.length" class="composer-files" aria-label="Files to send">
        <li v-for="file in files" :key="file.name + file.size"><Icon name="clip" /><bdi>{{ file.name }}</bdi>
          <button type="button" class="icon-button" :aria-label="'Remove ' + file.name" @click="removeFile(file)"><Icon name="close" /></button></li>
      </ul>
      <CommandForm v-if="command" :key="channelId" :entry="command" @close="leaveCommand" />
      <form v-else class="composer-line" @submit.prevent="submit">
        <template v-if="mayAttach && mayWrite">
          <input ref="picker" class="visually-hidden" type="file" multiple tabindex="-1" aria-hidden="true" @change="onPicked" />
          <button type="button" class="icon-button" aria-label="Attach a file" title="Attach a file" @click="picker.click()"><Icon name="clip" /></button>
        </template>
        <TextBox id="composer" ref="box" v-model="text" :label="'Message ' + title" :placeholder="placeholder" :disabled="!mayWrite"
          commands @submit="submit" @cancel="desk.replies.delete(channelId)" @recall="recallLast" @command="chooseCommand" @files="addFiles" />
        <span v-if="left < LONGEST - COUNTED_FROM" class="counter" :class="{ over: left < 0 }" role="status">{{ left }}</span>
        <button type="submit" class="icon-button send" aria-label="Send" title="Send (Enter)"
          :disabled="left < 0 || !mayWrite || (!text.trim() && !files.length)"><Icon name="send" /></button>
      </form>
      <p class="typing" role="status" aria-live="polite"><template v-if="left < 0">A message has at most {{ LONGEST }} characters.</template>
        <template v-else-if="typing"><span class="dots" aria-hidden="true"><i></i><i></i><i></i></span><bdi>{{ typing }}</bdi></template>
        <template v-else-if="waiting">Waiting for the bot: <bdi>{{ waiting }}</bdi></template></p>
    </div>`,
};
