/** Sending it again would be refused again. The sentence is for operators. */
export class Undeliverable extends Error {}
