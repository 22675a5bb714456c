/** A permanent failure: retrying is pointless. The message is for operators. */
export class Undeliverable extends Error {}
