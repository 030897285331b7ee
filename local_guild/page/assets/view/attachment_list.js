// Files of a message: pictures from this server are shown, everything else is offered for download.

import { Icon } from "./icon.js";
import { ownImage } from "./embed_card.js";

function size(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

function picture(file) {
  return (file.content_type ?? "").startsWith("image/") && !file.content_type.includes("svg") ? ownImage(file.url) : null;
}

export const AttachmentList = {
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
