/** One rule of an audience; the same shape serves services, columns and calendars. */
export type DemoRule = {
  effect: 'include' | 'exclude'
  /** `everybody`: each signed-in member. `guests`: visitors who are not signed in. */
  kind: 'everybody' | 'guests' | 'identity' | 'organization' | 'group'
  target?: string
}

export type Tone = 'blue' | 'orange' | 'green' | 'violet' | 'amber' | 'teal'
