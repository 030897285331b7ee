// What can be done with a message that others see too: a few buttons on the row, the rest behind "more".

import { computed, inject, ref } from "vue";
import { PERMISSION } from "../protocol/permissions.js";
import { attempt, copy, deleteMessage, toggleReaction } from "../state/acts.js";
import { notify } from "../state/notices.js";
import { EMOJI } from "../text/emoji.js";
import { wordsOf } from "../text/mentions.js";
import { isSystem } from "../text/system_messages.js";
import { Icon } from "./icon.js";
import { Popup } from "./popup.js";

const EmojiPicker = {
  name: "EmojiPicker",
  components: { Popup },
  props: { anchor: { type: Object, required: true } },
  emits: ["pick", "close"],
  setup: () => ({ EMOJI }),
  template: `
    <Popup :anchor="anchor" label="Choose an emoji" prefer="above" @close="$emit('close')">
      <div class="emoji-grid">
        <button v-for="emoji in EMOJI" :key="emoji.name" type="button" role="menuitem" :aria-label="emoji.name"
          :title="':' + emoji.name + ':'" @click="$emit('pick', emoji.sign)">{{ emoji.sign }}</button>
      </div>
    </Popup>`,
};

const MESSAGE_COMMAND = 3;

function startThread(session, message) {
  const name = wordsOf(message).replace(/\s+/g, " ").trim().slice(0, 60) || "Thread";
  return attempt(async () => {
    const thread = await session.rest.startThread(message.channel_id, message.id, name);
    session.guilds.apply("THREAD_CREATE", { ...thread, guild_id: thread.guild_id ?? session.guild.value?.id });
    session.openChannel(thread.id);
    notify("Thread started.", "info");
  });
}

export const MessageActions = {
  name: "MessageActions",
  components: { EmojiPicker, Icon, Popup },
  props: { message: { type: Object, required: true } },
  emits: ["held"],
  setup(props, { emit }) {
    const session = inject("session");
    const desk = inject("desk");
    const open = ref("");
    const more = ref(null);
    const react = ref(null);
    const mine = computed(() => props.message.author.id === session.member.id && !isSystem(props.message));
    const mayDelete = computed(() => mine.value || session.may(PERMISSION.MANAGE_MESSAGES));
    const mayPin = computed(() => session.may(PERMISSION.MANAGE_MESSAGES) && !isSystem(props.message));
    const mayReact = computed(() => session.may(PERMISSION.ADD_REACTIONS));
    const mayThread = computed(() => {
      const type = session.channel.value?.type;
      return session.may(PERMISSION.CREATE_PUBLIC_THREADS) && (type === 0 || type === 5);
    });
    const apps = computed(() =>
      (session.commands.get(session.guild.value?.id) ?? []).filter((one) => one.type === MESSAGE_COMMAND),
    );

    function show(what) {
      open.value = open.value === what ? "" : what;
      emit("held", open.value !== "");
      // Commands may have been registered since the guild was entered.
      if (open.value === "more" && session.guild.value) void session.refreshCommands(session.guild.value.id);
    }

    function close() {
      open.value = "";
      emit("held", false);
    }

    const acts = {
      reply: () => desk.reply(props.message),
      edit: () => (desk.editing.value = props.message.id),
      remove: () => deleteMessage(session, desk, props.message),
      pin: () => attempt(() => session.rest.pin(props.message.channel_id, props.message.id, !props.message.pinned)),
      copyText: () => copy(wordsOf(props.message), "Text"),
      copyLink: () => {
        const path = session.navigation.link(session.guild.value?.id ?? "@me", props.message.channel_id, props.message.id);
        return copy(location.origin + path, "Link");
      },
      thread: () => startThread(session, props.message),
      run: (command) =>
        attempt(() => session.interactions.run(command, props.message.channel_id, { target_id: props.message.id })),
    };
    const act = (name, argument) => {
      close();
      void acts[name](argument);
    };
    const pick = (sign) => {
      close();
      void toggleReaction(session, props.message, { id: null, name: sign });
    };
    return { open, more, react, mine, mayDelete, mayPin, mayReact, mayThread, apps, show, close, act, pick };
  },
  template: `
    <div class="actions" role="toolbar" aria-label="Message actions">
      <button v-if="mayReact" ref="react" type="button" aria-label="React" title="React" @click="show('react')"><Icon name="smile" /></button>
      <button type="button" aria-label="Reply" title="Reply" @click="act('reply')"><Icon name="reply" /></button>
      <button v-if="mine" type="button" aria-label="Edit" title="Edit" @click="act('edit')"><Icon name="edit" /></button>
      <button ref="more" type="button" aria-label="More actions" title="More" aria-haspopup="menu"
        :aria-expanded="open === 'more'" @click="show('more')"><Icon name="more" /></button>
      <EmojiPicker v-if="open === 'react'" :anchor="react" @pick="pick" @close="close" />
      <Popup v-if="open === 'more'" :anchor="more" label="Message actions" @close="close">
        <button type="button" role="menuitem" class="popup-item" @click="act('reply')"><Icon name="reply" />Reply</button>
        <button v-if="mine" type="button" role="menuitem" class="popup-item" @click="act('edit')"><Icon name="edit" />Edit</button>
        <button v-if="mayThread" type="button" role="menuitem" class="popup-item" @click="act('thread')"><Icon name="thread" />Start a thread</button>
        <button v-if="mayPin" type="button" role="menuitem" class="popup-item" @click="act('pin')"><Icon name="pin" />{{ message.pinned ? 'Unpin' : 'Pin' }}</button>
        <button type="button" role="menuitem" class="popup-item" @click="act('copyText')"><Icon name="copy" />Copy text</button>
        <button type="button" role="menuitem" class="popup-item" @click="act('copyLink')"><Icon name="link" />Copy link</button>
        <template v-if="apps.length">
          <p class="popup-note">Apps</p>
          <button v-for="command in apps" :key="command.id" type="button" role="menuitem" class="popup-item"
            @click="act('run', command)"><Icon name="app" /><bdi>{{ command.name }}</bdi></button>
        </template>
        <button v-if="mayDelete" type="button" role="menuitem" class="popup-item danger" @click="act('remove')"><Icon name="trash" />Delete</button>
      </Popup>
    </div>`,
};
