// One message: who, when, what, and everything that hangs on it.

import { computed, inject, onBeforeUpdate, onUpdated, ref } from "vue";
import { timeOf } from "../protocol/snowflake.js";
import { toggleReaction } from "../state/acts.js";
import { isSystem, systemSentence } from "../text/system_messages.js";
import { clock, full, stamp } from "../text/times.js";
import { fromWire, wordsOf } from "../text/mentions.js";
import { plainText } from "../text/markdown.js";
import { Avatar } from "./avatar.js";
import { EmbedCard, ownImage } from "./embed_card.js";
import { Icon } from "./icon.js";
import { MessageActions } from "./message_actions.js";
import { MessageComponent } from "./message_components.js";
import { MessageEditor } from "./message_editor.js";
import { RichText } from "./rich_text.js";

function signOf(emoji) {
  return emoji.id ? `:${emoji.name}:` : emoji.name;
}

const ReactionBar = {
  name: "ReactionBar",
  props: { message: { type: Object, required: true } },
  setup(props) {
    const session = inject("session");
    return { signOf, toggle: (emoji) => toggleReaction(session, props.message, emoji) };
  },
  template: `
    <div class="reactions">
      <button v-for="one in message.reactions" :key="one.emoji.id ?? one.emoji.name" type="button" class="reaction"
        :aria-pressed="one.me" :aria-label="signOf(one.emoji) + ', ' + one.count" @click="toggle(one.emoji)">
        <span>{{ signOf(one.emoji) }}</span><b>{{ one.count }}</b>
      </button>
    </div>`,
};

function size(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

function picture(file) {
  return (file.content_type ?? "").startsWith("image/") && !file.content_type.includes("svg") ? ownImage(file.url) : null;
}

const AttachmentList = {
  name: "AttachmentList",
  components: { Icon },
  props: { files: { type: Array, required: true } },
  setup: () => ({ size, picture }),
  template: `
    <ul class="attachments">
      <li v-for="file in files" :key="file.id">
        <a v-if="picture(file)" :href="picture(file)" target="_blank" rel="noopener noreferrer">
          <img :src="picture(file)" :alt="file.description || file.filename" loading="lazy" />
        </a>
        <a v-else class="file" :href="file.url" :download="file.filename" target="_blank" rel="noopener noreferrer">
          <Icon name="clip" /><bdi>{{ file.filename }}</bdi><span class="muted">{{ size(file.size ?? 0) }}</span>
        </a>
      </li>
    </ul>`,
};

const EPHEMERAL = 64;
const LOADING = 128;
const FROM_MENU = 23;
const LAYOUT = 1 << 15;
const QUOTE_LENGTH = 120;

// What stands above a message: the one it answers, or the command it came from.
function originOf(message, session) {
  const asked = message.interaction_metadata;
  if (asked?.name) return { user: asked.user, text: `used ${message.type === FROM_MENU ? "" : "/"}${asked.name}` };
  const reference = message.message_reference;
  if (!reference?.message_id || (reference.type ?? 0) !== 0 || isSystem(message)) return null;
  const quoted = message.referenced_message;
  if (!quoted) return { user: null, text: "The message this answers was deleted." };
  const plain = plainText(fromWire(wordsOf(quoted), session.guild.value));
  const text = plain.slice(0, QUOTE_LENGTH) || "A message without text";
  return { user: quoted.author, text, target: quoted.id };
}

// When a pressed button goes or is switched off, its message takes the focus: the keyboard stays where it was.
function keepFocus(row) {
  let pressed = null;
  onBeforeUpdate(() => (pressed = row.value.querySelector(":is(.component-row, .component-section) :focus")));
  onUpdated(() => {
    if (pressed && (!pressed.isConnected || pressed.disabled)) row.value.focus({ preventScroll: true });
  });
}

export const MessageRow = {
  name: "MessageRow",
  components: { AttachmentList, Avatar, EmbedCard, Icon, MessageActions, MessageComponent, MessageEditor, ReactionBar, RichText },
  props: {
    message: { type: Object, required: true },
    continues: Boolean,
    active: Boolean,
    flashed: Boolean,
  },
  emits: ["jump", "dismiss", "held"],
  setup(props) {
    const session = inject("session");
    const desk = inject("desk");
    const row = ref(null);
    keepFocus(row);
    const held = ref(false);
    const time = computed(() => timeOf(props.message.id));
    const name = computed(() => session.nameOf(props.message.author));
    const colour = computed(() => session.colourOf(props.message.author.id));
    const origin = computed(() => originOf(props.message, session));
    const ephemeral = computed(() => Boolean(props.message.flags & EPHEMERAL));
    const thinking = computed(() => Boolean(props.message.flags & LOADING) && !props.message.content);
    const mentioned = computed(
      () =>
        props.message.mention_everyone ||
        (props.message.mentions ?? []).some((user) => user.id === session.member.id),
    );
    const system = computed(() => (isSystem(props.message) ? systemSentence(props.message, name.value) : ""));
    const editing = computed(() => desk.editing.value === props.message.id);
    const layout = computed(() => Boolean(props.message.flags & LAYOUT));
    const snapshots = computed(() => (props.message.message_snapshots ?? []).map((one) => one.message));
    const showProfile = (event) => desk.showProfile(props.message.author, event.currentTarget);
    return {
      session, row, held, time, name, colour, origin, ephemeral, thinking, mentioned, system, editing, layout, snapshots, showProfile,
      clock, full, stamp,
    };
  },
  template: `
    <article ref="row" class="message" :class="{ continues, ephemeral, mentioned, flashed, active: active || held }"
      :id="'message-' + message.id" :data-message="message.id" :aria-label="name + ', ' + full(time)">
      <component :is="origin.target ? 'button' : 'p'" v-if="origin" class="origin" :type="origin.target ? 'button' : null"
        @click="origin.target && $emit('jump', origin.target)">
        <span class="origin-hook" aria-hidden="true"></span>
        <template v-if="origin.user"><Avatar :id="origin.user.id" :name="session.nameOf(origin.user)" :bot="origin.user.bot" />
          <bdi class="origin-name">{{ session.nameOf(origin.user) }}</bdi></template>
        <bdi class="origin-text">{{ origin.text }}</bdi>
      </component>
      <p v-if="system" class="system"><bdi>{{ system }}</bdi>
        <time :datetime="time.toISOString()" :title="full(time)">{{ stamp(time) }}</time></p>
      <template v-else>
        <time v-if="continues" class="gutter-time" :datetime="time.toISOString()" :title="full(time)">{{ clock(time) }}</time>
        <Avatar v-else :id="message.author.id" :name="name" :bot="message.author.bot" />
        <header v-if="!continues">
          <button type="button" class="author" :style="colour && { '--role': colour }" @click="showProfile"><bdi>{{ name }}</bdi></button>
          <span v-if="message.author.bot" class="tag">Bot</span>
          <time :datetime="time.toISOString()" :title="full(time)">{{ stamp(time) }}</time>
        </header>
        <div class="body">
          <MessageEditor v-if="editing" :message="message" />
          <p v-else-if="thinking" class="thinking"><span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>{{ name }} is thinking …</p>
          <RichText v-else-if="message.content" :source="message.content" :users="message.mentions"
            :edited-at="message.edited_timestamp ?? undefined" />
          <blockquote v-for="(one, index) in snapshots" :key="'snapshot' + index" class="forwarded">
            <p class="muted">Forwarded</p><RichText :source="one.content ?? ''" /></blockquote>
          <EmbedCard v-for="(embed, index) in message.embeds" :key="'embed' + index" :embed="embed" />
          <AttachmentList v-if="message.attachments?.length && !layout" :files="message.attachments" />
          <p v-for="sticker in message.sticker_items" :key="sticker.id" class="muted">Sticker: <bdi>{{ sticker.name }}</bdi></p>
          <p v-if="message.poll" class="muted">Poll: <bdi>{{ message.poll.question?.text }}</bdi></p>
          <div v-if="message.components?.length" :class="{ layout }">
            <MessageComponent v-for="(component, index) in message.components" :key="index" :component="component" :message="message" />
            <span v-if="layout && message.edited_timestamp" class="edited" :title="'Edited ' + full(new Date(message.edited_timestamp))">(edited)</span>
          </div>
          <ReactionBar v-if="message.reactions?.length" :message="message" />
          <p v-if="ephemeral" class="only-you"><Icon name="eye" />Only you can see this ·
            <button type="button" class="text-button" @click="$emit('dismiss', message.id)">Dismiss</button></p>
        </div>
      </template>
      <MessageActions v-if="(active || held) && !editing && !thinking && !ephemeral" :message="message" @held="held = $event" />
    </article>`,
};
