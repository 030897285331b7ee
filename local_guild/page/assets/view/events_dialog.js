// What is scheduled in the guild: a list to say that one is interested, and a form for a new event.

import { computed, inject, reactive, ref } from "vue";
import { mayView } from "../protocol/permissions.js";
import { attempt } from "../state/acts.js";
import { DialogFrame } from "./dialog_frame.js";

const VOICE = 2;
const ELSEWHERE = 3;
const HOUR_MS = 3_600_000;

export const EventsDialog = {
  name: "EventsDialog",
  components: { DialogFrame },
  setup() {
    const session = inject("session");
    const desk = inject("desk");
    const guild = computed(() => session.guild.value);
    const events = computed(() =>
      [...(guild.value?.events.values() ?? [])].sort((a, b) => a.scheduled_start_time.localeCompare(b.scheduled_start_time)),
    );
    const rooms = computed(() =>
      [...(guild.value?.channels.values() ?? [])].filter((one) => one.type === VOICE && mayView(guild.value, one, session.member.id)),
    );
    const form = reactive({ name: "", at: "", room: "", place: "" });
    const mine = reactive(new Set());
    const sending = ref(false);
    const when = (event) => new Date(event.scheduled_start_time).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    const where = (event) => event.entity_metadata?.location ?? guild.value?.channels.get(event.channel_id)?.name ?? "";
    const path = (event) => `/guilds/${guild.value.id}/scheduled-events${event ? `/${event.id}` : ""}`;

    async function make() {
      const starts = new Date(form.at);
      const body = { name: form.name, scheduled_start_time: starts.toISOString() };
      if (form.room) Object.assign(body, { entity_type: VOICE, channel_id: form.room });
      else {
        const ends = new Date(starts.getTime() + 2 * HOUR_MS).toISOString();
        Object.assign(body, { entity_type: ELSEWHERE, scheduled_end_time: ends, entity_metadata: { location: form.place } });
      }
      sending.value = true;
      if (await attempt(() => session.rest.call("POST", path(), { json: body }))) Object.assign(form, { name: "", at: "", place: "" });
      sending.value = false;
    }
    const cancel = (event) => attempt(() => session.rest.call("DELETE", path(event)));
    const toggle = (event) =>
      attempt(async () => {
        await session.rest.call(mine.has(event.id) ? "DELETE" : "PUT", `${path(event)}/users/@me`);
        if (!mine.delete(event.id)) mine.add(event.id);
      });
    return { session, desk, events, rooms, form, mine, sending, when, where, make, cancel, toggle };
  },
  template: `
    <DialogFrame title="Events" @close="desk.events.value = false">
      <ul v-if="events.length" class="events">
        <li v-for="event in events" :key="event.id">
          <b><bdi>{{ event.name }}</bdi></b> <span class="muted">{{ when(event) }} · <bdi>{{ where(event) }}</bdi></span>
          <button type="button" class="button button-secondary" :aria-pressed="mine.has(event.id)" @click="toggle(event)">Interested</button>
          <button v-if="event.creator_id === session.member.id" type="button" class="button button-danger" @click="cancel(event)">Cancel event</button>
        </li>
      </ul>
      <p v-else class="muted">Nothing is scheduled yet.</p>
      <form @submit.prevent="make">
        <label class="modal-field"><span>Name of the event</span><input v-model="form.name" class="field" required maxlength="100" /></label>
        <label class="modal-field"><span>Starts at</span><input v-model="form.at" class="field" type="datetime-local" required /></label>
        <label v-if="rooms.length" class="modal-field"><span>Voice channel</span>
          <select v-model="form.room" class="field"><option value="">Somewhere else</option>
            <option v-for="room in rooms" :key="room.id" :value="room.id">{{ room.name }}</option></select></label>
        <label v-if="!form.room" class="modal-field"><span>Place</span><input v-model="form.place" class="field" required maxlength="100" /></label>
        <div class="dialog-buttons"><button type="submit" class="button button-primary" :disabled="sending">Make the event</button></div>
      </form>
    </DialogFrame>`,
};
