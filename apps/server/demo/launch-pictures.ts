import {
  building,
  canvas,
  circle,
  cloud,
  type Drawn,
  ellipse,
  group,
  line,
  person,
  pine,
  rect,
  repeat,
  shape,
  sun,
  tree,
} from './drawing.ts'

/** A portrait picture whose edges may be cropped on narrower or wider phones. */
const upright = (background: string[], ...shapes: Drawn[]) =>
  canvas(720, 1280, background, ...shapes)

const morning = () =>
  upright(
    ['#2f6fb3', '#7fb2dc', '#f6d9b0', '#fbeccb'],
    sun(520, 520, 74, '#fff3cf'),
    group('translate(150 250) scale(2.2)', cloud(0, 0, 1, '#ffffff', 0.7)),
    group('translate(560 330) scale(1.6)', cloud(0, 0, 1, '#ffffff', 0.5)),
    repeat(5, (at) =>
      line(
        `M${120 + at * 46} ${420 + ((at * 37) % 60)} q14 -16 28 0 q14 -16 28 0`,
        '#2f4f74',
        4,
        0.7,
      ),
    ),
    shape('M0 760 Q120 620 250 700 T470 660 T720 720 V1280 H0 Z', '#8fb3c4', 0.75),
    shape('M0 830 Q160 720 330 800 T720 780 V1280 H0 Z', '#5f93a0'),
    // the bell tower and the halls beside it
    building(70, 792, 190, 190, '#e9dcc6', {
      columns: 5,
      rows: 4,
      color: '#5c87a3',
      margin: 16,
      gap: 12,
    }),
    shape('M54 796 h222 l-26 -34 h-170 z', '#a9744f'),
    building(460, 806, 210, 176, '#e3d3b8', {
      columns: 6,
      rows: 4,
      color: '#6d93a8',
      margin: 16,
      gap: 11,
    }),
    shape('M444 810 h242 l-26 -34 h-190 z', '#8f5f48'),
    rect(318, 600, 84, 384, '#f1e6d2'),
    shape('M302 604 h116 l-20 -40 h-76 z', '#3f5a5c'),
    shape('M330 566 h60 l-30 -66 z', '#4c6a6b'),
    circle(360, 668, 28, '#ffffff'),
    line('M360 668 V648 M360 668 l14 9', '#3b4a6b', 5),
    repeat(3, (at) => rect(342, 730 + at * 72, 36, 46, '#5c87a3', 18)),
    shape('M318 984 v-52 a42 42 0 0 1 84 0 v52 z', '#6d5444'),
    rect(0, 982, 720, 298, '#8fbf86'),
    shape('M286 1280 L338 982 h44 L452 1280 Z', '#efe3cb'),
    shape('M330 1280 L352 982 h16 L402 1280 Z', '#ffffff', 0.35),
    tree(60, 1010, 250, '#4f8d63', '#86bb7c'),
    tree(676, 1020, 270, '#4f8d63', '#86bb7c'),
    tree(190, 1000, 130, '#5f9a6b', '#9cc98b'),
    tree(560, 1002, 140, '#5f9a6b', '#9cc98b'),
    person(300, 1150, 128, '#c9583e'),
    person(356, 1140, 120, '#31629c'),
    person(472, 1096, 92, '#e0a23c'),
    person(236, 1076, 80, '#7c5f96'),
    repeat(18, (at) =>
      circle(
        (at * 97) % 720,
        1180 + ((at * 43) % 90),
        7,
        ['#f0c15a', '#ffffff', '#d9694f'][at % 3] as string,
        0.85,
      ),
    ),
  )

const spark = (x: number, y: number, r: number, color: string) =>
  group(
    `translate(${x} ${y})`,
    repeat(16, (at) => [
      line(`M${turn(r * 0.3, at)} L${turn(r, at)}`, color, 5, 0.9),
      group(`translate(${turn(r * 1.14, at)})`, circle(0, 0, 5, color)),
    ]),
    circle(0, 0, r * 0.12, '#ffffff'),
  )
const turn = (r: number, at: number) =>
  `${Math.round(r * Math.cos((at * Math.PI) / 8))} ${Math.round(r * Math.sin((at * Math.PI) / 8))}`

const foundersNight = () =>
  upright(
    ['#14204a', '#2c3f7d', '#7d5a8c', '#e79a77'],
    repeat(46, (at) => circle((at * 131) % 720, (at * 83) % 560, 2 + (at % 3), '#ffffff', 0.7)),
    spark(220, 270, 130, '#ffd37a'),
    spark(530, 200, 100, '#ff9d8a'),
    spark(500, 450, 84, '#8fd3e8'),
    line('M220 420 Q214 560 240 700 M530 318 Q540 520 500 690', '#ffe7b3', 3, 0.35),
    shape('M0 820 Q180 700 360 790 T720 760 V1280 H0 Z', '#3a3563'),
    building(40, 800, 220, 220, '#433c6b', {
      columns: 6,
      rows: 5,
      color: '#564e80',
      lit: '#f8cf8f',
      margin: 16,
      gap: 12,
    }),
    building(470, 780, 220, 240, '#3d3765', {
      columns: 6,
      rows: 6,
      color: '#524a7c',
      lit: '#f8cf8f',
      margin: 16,
      gap: 11,
    }),
    rect(312, 640, 96, 380, '#4d4578'),
    shape('M296 644 h128 l-22 -42 h-84 z', '#2b2750'),
    shape('M326 604 h68 l-34 -72 z', '#35305e'),
    circle(360, 706, 32, '#ffe7b3'),
    line('M360 706 V684 M360 706 l16 10', '#4d4578', 5),
    repeat(3, (at) => rect(340, 766 + at * 66, 40, 44, '#f8cf8f', 20)),
    rect(0, 1014, 720, 266, '#2a2650'),
    shape('M250 1280 L330 1014 h60 L480 1280 Z', '#4a4478'),
    // lanterns over the way
    line('M0 900 Q360 1010 720 900', '#1f1c40', 4),
    repeat(7, (at) => {
      const x = 60 + at * 100
      const y = 918 + Math.round(46 * Math.sin(((at + 0.6) * Math.PI) / 7.2))
      return [
        ellipse(x, y + 34, 48, 44, '#ffcf7d', 0.16),
        ellipse(x, y + 34, 27, 31, '#e2503c'),
        ellipse(x, y + 34, 12, 31, '#f27a5c', 0.8),
        rect(x - 13, y + 1, 26, 7, '#f0c15a', 2),
        rect(x - 13, y + 60, 26, 7, '#f0c15a', 2),
        line(`M${x} ${y + 67} v22`, '#f0c15a', 4),
      ]
    }),
    [110, 190, 268, 350, 434, 520, 604].map((x, at) =>
      person(
        x,
        1236 + (at % 2) * 18,
        150 + (at % 3) * 14,
        ['#5a6fae', '#c2503f', '#3f8a86', '#e0a23c', '#7c5f96', '#b4575a', '#4a7898'][at] as string,
        '#d9ae8e',
        '#1f1c36',
        '#25224a',
      ),
    ),
  )

/** Three times the width of a slide on a phone. Text covers the lower left, buttons the upper right. */
const wide = (background: string[], ...shapes: Drawn[]) => canvas(1056, 462, background, ...shapes)

const timetable = () =>
  wide(
    ['#1c5fa8', '#4b93cf'],
    circle(930, 60, 190, '#ffffff', 0.07),
    circle(120, 420, 160, '#ffffff', 0.06),
    rect(0, 384, 1056, 78, '#0e3f78', 0, 0.28),
    group(
      'translate(-150 22) scale(0.9)',
      rect(470, 54, 470, 330, '#0e3f78', 26, 0.35),
      rect(460, 40, 470, 330, '#ffffff', 24),
      rect(460, 40, 470, 62, '#e8eef6', 24),
      rect(460, 80, 470, 22, '#e8eef6'),
      repeat(5, (at) => rect(516 + at * 82, 62, 46, 12, '#9fb4cc', 6)),
      repeat(4, (at) => line(`M476 ${164 + at * 52} h438`, '#e6ebf2', 2)),
      [
        [0, 0, 1, '#f2a65a'],
        [1, 1, 2, '#5fa3a6'],
        [2, 0, 1, '#8a78b4'],
        [2, 3, 1, '#e2795b'],
        [3, 1, 1, '#86b06a'],
        [3, 2, 2, '#4b93cf'],
        [4, 0, 2, '#e2795b'],
        [0, 3, 2, '#4b93cf'],
      ].map(([column, row, rows, color]) =>
        rect(
          504 + Number(column) * 82,
          116 + Number(row) * 52,
          70,
          Number(rows) * 52 - 10,
          String(color),
          10,
        ),
      ),
      // the selected one
      rect(750, 322, 70, 42, '#ffffff', 10),
      line(
        'M760 322 h50 a10 10 0 0 1 10 10 v22 a10 10 0 0 1 -10 10 h-50 a10 10 0 0 1 -10 -10 v-22 a10 10 0 0 1 10 -10 z',
        '#ed663f',
        5,
      ),
      line('M770 343 l11 11 l20 -22', '#ed663f', 6),
      shape('M822 356 l60 24 l-26 12 l22 32 l-14 9 l-22 -32 l-20 20 z', '#1f2c4d'),
      rect(980, 240, 40, 130, '#f2a65a', 6),
      rect(980, 262, 40, 12, '#ffffff', 0, 0.6),
      rect(940, 276, 34, 94, '#5fa3a6', 6),
    ),
  )

const readingNight = () =>
  wide(
    ['#1b2748', '#3a4674', '#6f5f86'],
    repeat(30, (at) => circle((at * 151) % 1056, (at * 67) % 190, 1.6 + (at % 3), '#ffffff', 0.75)),
    shape('M918 44 a44 44 0 1 0 32 68 a38 38 0 0 1 -32 -68 z', '#f7e3b4'),
    rect(360, 120, 520, 300, '#2b3358'),
    shape('M336 124 h568 l-40 -40 h-488 z', '#222948'),
    repeat(6, (at) => [
      rect(388 + at * 80, 150, 60, 210, '#f8d795', 30),
      rect(388 + at * 80, 180, 60, 180, '#f8d795'),
      line(`M${418 + at * 80} 152 v208 M${388 + at * 80} 250 h60`, '#c99a5c', 4),
      repeat(3, (shelf) =>
        rect(
          394 + at * 80 + shelf * 18,
          322 - ((at + shelf) % 3) * 8,
          13,
          38 + ((at + shelf) % 3) * 8,
          ['#b4573f', '#4a7898', '#7c8f5a'][(at + shelf) % 3] as string,
          2,
        ),
      ),
    ]),
    // the remaining readers
    [
      [428, '#c2503f'],
      [588, '#2f6d8f'],
      [750, '#7c5f96'],
    ].map(([x, color]) => [
      circle(Number(x), 284, 15, '#2b2530'),
      shape(`M${Number(x) - 24} 360 q0 -54 24 -54 q24 0 24 54 z`, String(color)),
    ]),
    rect(340, 360, 560, 14, '#1e2442'),
    rect(0, 392, 1056, 70, '#1a2040'),
    shape('M560 462 l30 -72 h80 l30 72 z', '#f8d795', 0.22),
    group(
      'translate(250 0)',
      pine(0, 420, 170, '#22304f', '#1a2040'),
      pine(-90, 424, 120, '#27375a', '#1a2040'),
    ),
    pine(972, 424, 190, '#22304f', '#1a2040'),
    rect(296, 250, 5, 150, '#141a34'),
    circle(298, 246, 40, '#ffe7b3', 0.25),
    circle(298, 246, 13, '#ffe7b3'),
  )

const winterRun = () =>
  wide(
    ['#86b4dc', '#cfe3ef', '#fbe9cf'],
    sun(820, 150, 46, '#fff1c9'),
    group('translate(300 90) scale(1.8)', cloud(0, 0, 1)),
    group('translate(560 60) scale(1.3)', cloud(0, 0, 1, '#ffffff', 0.6)),
    shape('M0 280 Q160 190 330 250 T640 230 T1056 260 V462 H0 Z', '#a9c9bf'),
    shape('M0 310 Q220 250 480 296 T1056 288 V462 H0 Z', '#7cab86'),
    tree(60, 330, 130, '#4f8d63', '#86bb7c'),
    tree(980, 326, 150, '#4f8d63', '#86bb7c'),
    tree(900, 320, 90, '#5f9a6b', '#9cc98b'),
    shape('M0 342 Q528 300 1056 342 V462 H0 Z', '#c65f45'),
    repeat(3, (at) =>
      line(`M0 ${370 + at * 34} Q528 ${330 + at * 34} 1056 ${370 + at * 34}`, '#f4e3d6', 4),
    ),
    [
      [520, 380, 1.5, '#2f6db0'],
      [650, 360, 1.3, '#f0b441'],
      [780, 384, 1.6, '#e2503c'],
      [900, 356, 1.2, '#ffffff'],
    ].map(([x, y, size, color]) =>
      group(
        `translate(${x} ${y}) scale(${size})`,
        line('M-4 -22 L8 -6 L0 12', '#e2b391', 6),
        line('M0 -22 L-12 -8 L-26 -4', '#e2b391', 6),
        rect(-9, -50, 17, 30, String(color), 7),
        line('M-4 -44 L-18 -36 L-12 -26', '#e2b391', 5),
        line('M4 -44 L16 -36 L24 -46', '#e2b391', 5),
        circle(4, -58, 8, '#e2b391'),
        shape('M-4 -60 a8 8 0 0 1 15 -3 q-8 -1 -15 3 z', '#3a2f2f'),
        rect(-8, -26, 15, 9, '#39435a', 3),
      ),
    ),
  )

const glyphs: Record<string, string> = {
  home: 'M28 50 L48 32 L68 50 V68 H54 V56 H42 V68 H28 Z',
  services:
    'M30 32 h15 v15 h-15 z M51 32 h15 v15 h-15 z M30 53 h15 v15 h-15 z M51 53 h15 v15 h-15 z',
  messages: 'M28 34 h40 v26 h-22 l-10 10 v-10 h-8 z',
  schedule: 'M30 36 h36 v32 h-36 z M36 30 h5 v8 h-5 z M55 30 h5 v8 h-5 z',
  me: 'M48 30 a10 10 0 0 1 0 20 a10 10 0 0 1 0 -20 z M28 70 q2 -16 20 -16 q18 0 20 16 z',
}

/** A tab icon on a Spring Festival lantern or a Founders' Week medal. */
const tabIcon = (occasion: 'spring' | 'founders', glyph: string, chosen: boolean) => {
  const [plate, ink] =
    occasion === 'spring'
      ? chosen
        ? ['#D8342B', '#FFE3A8']
        : ['#F6D3CC', '#B23A30']
      : chosen
        ? ['#1768BD', '#FFE3A8']
        : ['#D5E3F3', '#1F5C9E']
  const body =
    occasion === 'spring'
      ? [
          rect(36, 4, 24, 8, '#E8B04B', 2),
          ellipse(48, 50, 44, 40, plate as string),
          rect(36, 86, 24, 7, '#E8B04B', 2),
        ]
      : [
          shape(
            'M30 70 l-8 24 l14 -6 l8 6 l4 -20 z M66 70 l8 24 l-14 -6 l-8 6 l-4 -20 z',
            '#E8B04B',
          ),
          circle(48, 48, 42, plate as string),
        ]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96">${[...body, shape(glyphs[glyph] as string, ink as string)].join('')}</svg>`
}

/** Background of the tab bar, plain in the middle behind the labels. */
const barOf = (paper: string, ink: string) =>
  canvas(
    1500,
    192,
    [paper, '#ffffff'],
    [0, 1].map((side) =>
      group(
        side ? 'translate(1500 0) scale(-1 1)' : '',
        repeat(4, (at) => [
          line(
            `M${-40 + at * 74} 30 a34 34 0 0 1 68 0 a22 22 0 0 1 -44 0 a12 12 0 0 1 24 0`,
            ink,
            4,
            0.28 - at * 0.06,
          ),
        ]),
        line('M0 4 H1500', ink, 6, 0.25),
      ),
    ),
  )

export const tabNames = ['home', 'services', 'messages', 'schedule', 'me'] as const
const occasions = ['spring', 'founders'] as const

/** Drawings by picture key. */
export const launchPictures: Record<string, () => string> = {
  'opening-morning': morning,
  'opening-founders': foundersNight,
  'slide-timetable': timetable,
  'slide-reading': readingNight,
  'slide-run': winterRun,
  'spring-bar': () => barOf('#fdeee3', '#d8342b'),
  'founders-bar': () => barOf('#e9f1fa', '#1768bd'),
  ...Object.fromEntries(
    occasions.flatMap((occasion) =>
      tabNames.flatMap((name) => [
        [`${occasion}-${name}`, () => tabIcon(occasion, name, false)],
        [`${occasion}-${name}-chosen`, () => tabIcon(occasion, name, true)],
      ]),
    ),
  ),
}
