/** Building blocks of the demo's pictures: flat shapes in few colours, 440 × 292. */
export const width = 440
export const height = 292

type Stop = [offset: number, color: string]
/** SVG elements in nested lists. */
export type Drawn = string | Drawn[]
const flatten = (shapes: Drawn[]): string => (shapes as unknown[]).flat(Infinity).join('\n')

/** A complete drawing: a vertical background gradient with shapes in front of it. */
export const picture = (background: string[], ...shapes: Drawn[]) =>
  canvas(width, height, background, ...shapes)

/** A drawing of another size. */
export function canvas(
  width: number,
  height: number,
  background: string[],
  ...shapes: Drawn[]
): string {
  const stops = background.map(
    (color, at): Stop => [at / Math.max(1, background.length - 1), color],
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
${gradient('background', stops)}<rect width="${width}" height="${height}" fill="url(#background)"/>
${flatten(shapes)}
</svg>`
}

export const gradient = (id: string, stops: Stop[], direction: 'down' | 'right' = 'down') =>
  `<defs><linearGradient id="${id}" x1="0" y1="0" ${direction === 'down' ? 'x2="0" y2="1"' : 'x2="1" y2="0"'}>${stops
    .map(([offset, color]) => `<stop offset="${offset}" stop-color="${color}"/>`)
    .join('')}</linearGradient></defs>`

export const rect = (
  x: number,
  y: number,
  w: number,
  h: number,
  fill: string,
  radius = 0,
  opacity = 1,
) =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}" rx="${radius}" fill="${fill}"${faint(opacity)}/>`
export const circle = (x: number, y: number, r: number, fill: string, opacity = 1) =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="${round(r)}" fill="${fill}"${faint(opacity)}/>`
export const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, opacity = 1) =>
  `<ellipse cx="${round(x)}" cy="${round(y)}" rx="${round(rx)}" ry="${round(ry)}" fill="${fill}"${faint(opacity)}/>`
export const shape = (d: string, fill: string, opacity = 1) =>
  `<path d="${d}" fill="${fill}"${faint(opacity)}/>`
export const line = (d: string, stroke: string, strokeWidth = 2, opacity = 1) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${strokeWidth}" stroke-linecap="round" stroke-linejoin="round"${faint(opacity)}/>`
export const group = (transform: string, ...shapes: Drawn[]) =>
  `<g transform="${transform}">${flatten(shapes)}</g>`

/** One shape for each number from 0. */
export const repeat = (count: number, draw: (at: number) => Drawn): Drawn[] =>
  Array.from({ length: count }, (_, at) => draw(at))

/** A range of hills that fills the picture down to its lower edge. */
export function hills(y: number, rise: number, fill: string, phase = 0, opacity = 1) {
  const points = repeat(75, (at) => {
    const x = at * 6
    return `${x} ${round(y - rise * (0.55 * Math.sin(x / 68 + phase) + 0.3 * Math.sin(x / 31 + phase * 2.3) + 0.25))}`
  })
  return shape(`M0 ${height} L${points.join(' ')} L${width} ${height} Z`, fill, opacity)
}

export const sun = (x: number, y: number, r: number, fill: string) => [
  circle(x, y, r * 2.4, fill, 0.12),
  circle(x, y, r * 1.6, fill, 0.18),
  circle(x, y, r, fill),
]

export const cloud = (x: number, y: number, size: number, fill = '#fff', opacity = 0.8) =>
  group(
    `translate(${x} ${y}) scale(${size})`,
    `<path d="M-34 10 a12 12 0 0 1 4 -23 a18 18 0 0 1 34 -5 a13 13 0 0 1 24 8 a10 10 0 0 1 2 20 z" fill="${fill}"${faint(opacity)}/>`,
  )

/** A tree with its base at x, y. */
export function tree(
  x: number,
  y: number,
  h: number,
  leaf: string,
  light: string,
  trunk = '#6d5444',
) {
  const r = h * 0.3
  return [
    shape(
      `M${x - h * 0.035} ${y} L${x - h * 0.02} ${round(y - h * 0.5)} L${x + h * 0.02} ${round(y - h * 0.5)} L${x + h * 0.035} ${y} Z`,
      trunk,
    ),
    circle(x - r * 0.55, y - h * 0.52, r * 0.75, leaf),
    circle(x + r * 0.6, y - h * 0.5, r * 0.72, leaf),
    circle(x, y - h * 0.7, r, leaf),
    circle(x - r * 0.3, y - h * 0.78, r * 0.55, light, 0.55),
  ]
}

export const pine = (x: number, y: number, h: number, leaf: string, trunk = '#5d4a3d') => [
  rect(x - h * 0.03, y - h * 0.14, h * 0.06, h * 0.14, trunk),
  shape(
    `M${x} ${round(y - h)} L${round(x + h * 0.2)} ${round(y - h * 0.52)} L${round(x - h * 0.2)} ${round(y - h * 0.52)} Z`,
    leaf,
  ),
  shape(
    `M${x} ${round(y - h * 0.76)} L${round(x + h * 0.26)} ${round(y - h * 0.3)} L${round(x - h * 0.26)} ${round(y - h * 0.3)} Z`,
    leaf,
  ),
  shape(
    `M${x} ${round(y - h * 0.5)} L${round(x + h * 0.31)} ${round(y - h * 0.1)} L${round(x - h * 0.31)} ${round(y - h * 0.1)} Z`,
    leaf,
  ),
]

type Windows = {
  columns: number
  rows: number
  color: string
  lit?: string
  margin?: number
  gap?: number
}
export function building(
  x: number,
  y: number,
  w: number,
  h: number,
  wall: string,
  windows?: Windows,
) {
  const shapes = [rect(x, y, w, h, wall)]
  if (!windows) return shapes
  const { columns, rows, color, lit, margin = 8, gap = 5 } = windows
  const cw = (w - margin * 2 - gap * (columns - 1)) / columns
  const ch = (h - margin * 2 - gap * (rows - 1)) / rows
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const isLit = lit && (row * 7 + column * 5 + row * column) % 3 === 0
      shapes.push(
        rect(
          x + margin + column * (cw + gap),
          y + margin + row * (ch + gap),
          cw,
          ch,
          isLit ? lit : color,
          1,
        ),
      )
    }
  }
  return shapes
}

/** A standing person with the feet at x, y. */
export const person = (
  x: number,
  y: number,
  h: number,
  coat: string,
  skin = '#e9c3a3',
  hair = '#3b3336',
  trousers = '#3f4a5f',
) => [
  rect(x - h * 0.1, y - h * 0.42, h * 0.09, h * 0.42, trousers, h * 0.03),
  rect(x + h * 0.01, y - h * 0.42, h * 0.09, h * 0.42, trousers, h * 0.03),
  rect(x - h * 0.15, y - h * 0.78, h * 0.3, h * 0.42, coat, h * 0.09),
  circle(x, y - h * 0.88, h * 0.105, skin),
  shape(
    `M${round(x - h * 0.115)} ${round(y - h * 0.88)} a${round(h * 0.115)} ${round(h * 0.115)} 0 0 1 ${round(h * 0.23)} 0 q${round(-h * 0.115)} ${round(-h * 0.07)} ${round(-h * 0.23)} 0 z`,
    hair,
  ),
]

/** Head and shoulders from behind, for a row of listeners. */
export const listener = (x: number, y: number, size: number, coat: string, hair: string) => [
  shape(
    `M${round(x - size)} ${round(y + size * 1.5)} q0 ${round(-size * 1.2)} ${round(size)} ${round(-size * 1.2)} q${round(size)} 0 ${round(size)} ${round(size * 1.2)} z`,
    coat,
  ),
  circle(x, y - size * 0.1, size * 0.55, hair),
]

/** Bands of light on water. */
export const ripples = (top: number, color: string, opacity = 0.35, phase = 0) =>
  repeat(9, (at) => {
    const y = top + at * at * 1.4 + at * 6
    const x = (at * 97 + phase * 53) % 360
    const length = 40 + at * 12
    return [
      line(`M${x} ${round(y)} h${length}`, color, 1.6 + at * 0.2, opacity),
      line(
        `M${(x + 210) % 400} ${round(y + 4)} h${round(length * 0.6)}`,
        color,
        1.4,
        opacity * 0.8,
      ),
    ]
  })

const round = (value: number) => Math.round(value * 10) / 10
const faint = (opacity: number) => (opacity < 1 ? ` opacity="${opacity}"` : '')
