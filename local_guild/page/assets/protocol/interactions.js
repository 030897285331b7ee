// Using the bot as a member does: commands, buttons, menus and modals, and waiting for what comes of it.

import { shallowReactive } from "vue";
import { newNonce } from "./snowflake.js";

const KIND = { COMMAND: 2, COMPONENT: 3, AUTOCOMPLETE: 4, MODAL: 5 };
// An app has three seconds to answer; a little more, and the page says so itself.
const PATIENCE_MS = 6_000;

export class Interactions {
  // nonce → {label, target}: what is still waiting for the bot.
  waiting = shallowReactive(new Map());
  #suggestions = new Map();

  constructor(rest, { onModal, onFailure }) {
    this.rest = rest;
    this.onModal = onModal;
    this.onFailure = onFailure;
  }

  run(command, channelId, data) {
    const { name, type } = command;
    const body = { type: KIND.COMMAND, channel_id: channelId, data: { name, type, ...data } };
    return this.#send(body, { label: `/${name}` });
  }

  press(message, component, values) {
    const data = { custom_id: component.custom_id };
    if (values) data.values = values;
    const body = { type: KIND.COMPONENT, channel_id: message.channel_id, message_id: message.id, data };
    return this.#send(body, { target: `${message.id}:${component.custom_id}` });
  }

  submitModal(modal, components) {
    const data = { id: modal.id, custom_id: modal.custom_id, components };
    return this.#send({ type: KIND.MODAL, channel_id: modal.channel_id, data }, { label: modal.title });
  }

  // Resolves to the choices for the option being typed; an unanswered question resolves to none.
  async suggest({ name, type }, channelId, data) {
    const nonce = newNonce();
    const answer = new Promise((resolve) => {
      this.#suggestions.set(nonce, resolve);
      setTimeout(() => this.#answerSuggestion(nonce, []), PATIENCE_MS);
    });
    await this.rest.interact({ type: KIND.AUTOCOMPLETE, channel_id: channelId, nonce, data: { name, type, ...data } });
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

  async #send(body, { label = "", target = "" }) {
    const nonce = newNonce();
    this.waiting.set(nonce, { label, target });
    setTimeout(() => this.#settled(nonce), PATIENCE_MS);
    try {
      await this.rest.interact({ ...body, nonce });
    } catch (reason) {
      this.#settled(nonce);
      throw reason;
    }
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
