/** The public test kit. */
export { type HandClock, handClock, memorySandbox, scripted } from "./testing/index.ts";
