// Using the bot as a member does: commands, buttons, menus and modals, and waiting for what comes of it.

import { shallowReactive } from "vue";
import { newNonce } from "./snowflake.js";

const KIND = { COMMAND: 2, COMPONENT: 3, AUTOCOMPLETE: 4, MODAL: 5 };
// An app has three seconds to answer; a little more, and the page says so itself.
const PATIENCE_MS = 6_000;

function described(command) {
  return { version: command.version, id: command.id, name: command.name, type: command.type };
}

export class Interactions {
  // nonce → {label, target}: what is still waiting for the bot.
  waiting = shallowReactive(new Map());
  #suggestions = new Map();

  constructor(rest, { sessionId, onModal, onFailure }) {
    this.rest = rest;
    this.sessionId = sessionId;
    this.onModal = onModal;
    this.onFailure = onFailure;
  }

  run(command, place, data) {
    const extra = { data: { ...described(command), ...data } };
    return this.#send(KIND.COMMAND, command.application_id, place, extra, { label: `/${command.name}` });
  }

  press(message, component, values, guildId) {
    const place = { guildId, channelId: message.channel_id };
    const data = { component_type: component.type, custom_id: component.custom_id };
    if (values) data.values = values;
    const application = message.application_id ?? message.author.id;
    const extra = { message_id: message.id, message_flags: message.flags ?? 0, data };
    return this.#send(KIND.COMPONENT, application, place, extra, { target: `${message.id}:${component.custom_id}` });
  }

  submitModal(modal, place, components) {
    const data = { id: modal.id, custom_id: modal.custom_id, components };
    return this.#send(KIND.MODAL, modal.application.id, place, { data }, { label: modal.title });
  }

  // Resolves to the choices for the option being typed; an unanswered question resolves to none.
  async suggest(command, place, data) {
    const nonce = newNonce();
    const answer = new Promise((resolve) => {
      this.#suggestions.set(nonce, resolve);
      setTimeout(() => this.#answerSuggestion(nonce, []), PATIENCE_MS);
    });
    const extra = { data: { ...described(command), ...data } };
    const body = this.#body(KIND.AUTOCOMPLETE, command.application_id, place, nonce, extra);
    await this.rest.interact(body);
    return answer;
  }

  // Returns whether the event was the outcome of an interaction.
  apply(type, data) {
    if (type === "APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE") this.#answerSuggestion(data.nonce, data.choices ?? []);
    else if (type === "INTERACTION_SUCCESS") this.#settled(data.nonce);
    else if (type === "INTERACTION_FAILURE") this.#failed(data);
    else if (type === "INTERACTION_MODAL_CREATE") {
      // Another window of the same member hears of it too; only the one that asked shows the form.
      if (this.waiting.delete(data.nonce)) this.onModal(data);
    } else return false;
    return true;
  }

  isBusy(messageId, customId) {
    const target = `${messageId}:${customId}`;
    return [...this.waiting.values()].some((one) => one.target === target);
  }

  async #send(kind, applicationId, place, extra, { label = "", target = "" }) {
    const nonce = newNonce();
    this.waiting.set(nonce, { label, target });
    setTimeout(() => this.#settled(nonce), PATIENCE_MS);
    try {
      await this.rest.interact(this.#body(kind, applicationId, place, nonce, extra));
    } catch (reason) {
      this.#settled(nonce);
      throw reason;
    }
  }

  #body(kind, applicationId, place, nonce, extra) {
    return {
      type: kind,
      application_id: applicationId,
      guild_id: place.guildId,
      channel_id: place.channelId,
      session_id: this.sessionId(),
      nonce,
      ...extra,
    };
  }

  #answerSuggestion(nonce, choices) {
    this.#suggestions.get(nonce)?.(choices);
    this.#suggestions.delete(nonce);
  }

  #settled(nonce) {
    this.waiting.delete(nonce);
  }

  #failed(data) {
    this.#answerSuggestion(data.nonce, []);
    if (this.waiting.delete(data.nonce)) this.onFailure();
  }
}
