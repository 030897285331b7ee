// An embed: title, text and fields behind a coloured edge. Images are shown only from this server; others as links.

import { computed } from "vue";
import { safeUrl } from "../text/markdown_inline.js";
import { stamp } from "../text/times.js";
import { RichText } from "./rich_text.js";

export function ownImage(address) {
  const url = address && safeUrl(new URL(address, location.origin).href);
  return url && new URL(url).origin === location.origin ? url : null;
}

export function edgeOf(colour) {
  return colour == null ? undefined : { "--edge": `#${colour.toString(16).padStart(6, "0")}` };
}

export const EmbedCard = {
  name: "EmbedCard",
  components: { RichText },
  props: { embed: { type: Object, required: true } },
  setup(props) {
    const edge = computed(() => edgeOf(props.embed.color));
    const image = computed(() => ownImage(props.embed.image?.url));
    const foreignImage = computed(() => !image.value && safeUrl(props.embed.image?.url ?? ""));
    const footer = computed(() => {
      const when = props.embed.timestamp ? stamp(new Date(props.embed.timestamp)) : "";
      return [props.embed.footer?.text, when].filter(Boolean).join(" · ");
    });
    return { edge, image, foreignImage, footer, safeUrl };
  },
  template: `
    <section class="embed" :style="edge">
      <p v-if="embed.author?.name" class="embed-author"><bdi>{{ embed.author.name }}</bdi></p>
      <p v-if="embed.title" class="embed-title">
        <a v-if="safeUrl(embed.url ?? '')" :href="safeUrl(embed.url)" :title="embed.url" target="_blank"
          rel="noopener noreferrer nofollow"><bdi>{{ embed.title }}</bdi></a>
        <bdi v-else>{{ embed.title }}</bdi>
      </p>
      <RichText v-if="embed.description" :source="embed.description" />
      <dl v-if="embed.fields?.length" class="embed-fields">
        <div v-for="(field, index) in embed.fields" :key="index" :class="{ inline: field.inline }">
          <dt><bdi>{{ field.name }}</bdi></dt>
          <dd><RichText :source="field.value ?? ''" /></dd>
        </div>
      </dl>
      <img v-if="image" class="embed-image" :src="image" alt="Image of the embed" loading="lazy" />
      <p v-else-if="foreignImage" class="embed-footer">
        <a :href="foreignImage" target="_blank" rel="noopener noreferrer nofollow">Image</a>
      </p>
      <p v-if="footer" class="embed-footer"><bdi>{{ footer }}</bdi></p>
    </section>`,
};
