import {
  building,
  circle,
  cloud,
  ellipse,
  gradient,
  group,
  height,
  hills,
  line,
  listener,
  person,
  picture,
  pine,
  rect,
  repeat,
  ripples,
  shape,
  sun,
  tree,
  width,
} from './drawing.ts'

const ground = (y: number, fill: string) => rect(0, y, width, height - y, fill)

const gateAtDusk = () =>
  picture(
    ['#33406f', '#7a6a9b', '#e7a38a', '#f6cfa3'],
    sun(318, 176, 20, '#ffe2b0'),
    hills(190, 34, '#6d6791', 0.4, 0.8),
    hills(206, 24, '#514f7c', 2.1),
    repeat(5, (at) => pine(18 + at * 17, 232, 54 + (at % 3) * 16, '#2b3055')),
    repeat(5, (at) => pine(352 + at * 20, 232, 48 + ((at + 1) % 3) * 18, '#2b3055')),
    ground(230, '#4a4468'),
    shape('M170 292 L204 232 L236 232 L270 292 Z', '#d9a98f', 0.55),
    // the gate: three openings under a swept roof
    rect(118, 142, 204, 92, '#8f5f5b'),
    rect(118, 142, 204, 10, '#7a4d4d'),
    shape('M136 234 v-44 a16 16 0 0 1 32 0 v44 z', '#39345a'),
    shape('M194 234 v-54 a26 26 0 0 1 52 0 v54 z', '#f3c79c'),
    shape('M272 234 v-44 a16 16 0 0 1 32 0 v44 z', '#39345a'),
    shape('M96 142 q16 -4 24 -16 h200 q8 12 24 16 z', '#3a3a5e'),
    shape('M140 122 q12 -3 18 -12 h124 q6 9 18 12 z', '#454468'),
    rect(186, 156, 68, 15, '#f2dcb8', 2),
    repeat(4, (at) => rect(193 + at * 15, 160, 8, 7, '#8f5f5b', 1)),
    circle(106, 214, 5, '#ffdf9e'),
    rect(104.5, 218, 3, 16, '#2b3055'),
    circle(334, 214, 5, '#ffdf9e'),
    rect(332.5, 218, 3, 16, '#2b3055'),
    person(212, 252, 30, '#2f3a63'),
    person(227, 250, 28, '#b4575a'),
  )

const library = () =>
  picture(
    ['#cfe4ee', '#eef4ee'],
    cloud(90, 52, 1),
    cloud(330, 40, 0.8),
    hills(170, 30, '#b9d3c6', 1.2),
    ground(222, '#a9c69a'),
    rect(92, 108, 256, 116, '#e9dcc6'),
    rect(84, 100, 272, 12, '#c8b394', 2),
    rect(128, 84, 184, 18, '#d8c7aa', 2),
    building(100, 118, 82, 96, '#e9dcc6', { columns: 4, rows: 3, color: '#5c87a3', margin: 6 }),
    building(258, 118, 82, 96, '#e9dcc6', { columns: 4, rows: 3, color: '#5c87a3', margin: 6 }),
    rect(186, 116, 68, 108, '#4f7894'),
    repeat(5, (at) => rect(184 + at * 16, 112, 6, 112, '#f5ecdb')),
    rect(176, 220, 88, 5, '#cbb99b'),
    rect(168, 225, 104, 6, '#bfac8d'),
    shape('M176 292 L200 231 h40 L264 292 Z', '#e6dcc8'),
    tree(46, 236, 96, '#5f9a6b', '#8dbd7f'),
    tree(84, 240, 62, '#6fa873', '#9cc98b'),
    tree(392, 238, 104, '#5f9a6b', '#8dbd7f'),
    tree(358, 242, 58, '#6fa873', '#9cc98b'),
    person(150, 256, 32, '#c9583e'),
    person(300, 262, 34, '#31629c'),
    person(316, 262, 31, '#e0a23c'),
  )

const lake = () =>
  picture(
    ['#f3dfc5', '#dfe9e4', '#b9d7db'],
    sun(112, 70, 18, '#f6b26b'),
    hills(136, 46, '#9dbcbc', 0.2, 0.7),
    hills(150, 34, '#7ba5a4', 1.7, 0.9),
    hills(166, 18, '#4f8183', 3.1),
    ground(166, '#8fc0c7'),
    ripples(176, '#f4f8f2', 0.55),
    ellipse(112, 190, 22, 4, '#f6c892', 0.6),
    // pavilion on its jetty
    rect(300, 178, 140, 5, '#6c5a4b'),
    repeat(5, (at) => rect(306 + at * 30, 182, 3, 20, '#5a4a3e')),
    repeat(4, (at) => rect(322 + at * 21, 142, 4, 38, '#8c3f37')),
    shape('M304 144 q14 -3 22 -14 h56 q8 11 22 14 z', '#3f5a5c'),
    shape('M334 130 q8 -3 12 -12 h16 q4 9 12 12 z', '#4c6a6b'),
    repeat(7, (at) =>
      line(
        `M${18 + at * 9} 292 q${at % 2 ? 8 : -6} -40 ${at % 2 ? 2 : -2} -${66 + (at % 3) * 14}`,
        '#4f7a54',
        3,
      ),
    ),
    repeat(4, (at) => ellipse(22 + at * 18, 226 - (at % 2) * 16, 3.5, 10, '#7a5b3d')),
    shape('M196 214 q26 12 60 0 l-8 12 h-44 z', '#7b4c36'),
    line('M226 214 V184', '#5a3b2c', 2),
    shape('M228 186 q18 8 20 24 h-20 z', '#f7efe0'),
  )

const lectureHall = () =>
  picture(
    ['#e8ddca', '#dac9ae'],
    rect(0, 0, width, 24, '#c7b18f'),
    repeat(6, (at) => rect(30 + at * 70, 6, 42, 8, '#fff6df', 4)),
    rect(110, 44, 220, 104, '#2f5b52', 4),
    rect(110, 44, 220, 104, '#ffffff', 4, 0.04),
    line('M132 128 C150 60 176 60 194 110 S238 128 252 72', '#e9f1e4', 2.5),
    line('M132 132 h126 M132 132 v-70', '#cfe0d2', 1.5),
    line('M276 70 h36 M276 82 h28 M276 94 h34 M276 106 h22', '#d9e6d4', 2),
    rect(104, 148, 232, 6, '#a98b62', 2),
    person(84, 190, 74, '#31557e'),
    rect(40, 158, 28, 40, '#8d6c48', 2),
    rect(36, 154, 36, 6, '#7a5b3b', 2),
    repeat(3, (row) => [
      rect(0, 200 + row * 32, width, 40, ['#b8966b', '#a88659', '#96754a'][row] as string),
      repeat(8 - row, (at) =>
        listener(
          34 + at * (54 + row * 8) + (row % 2) * 16,
          196 + row * 30,
          13 + row * 2.5,
          ['#c65a45', '#2f6d8f', '#e2a344', '#5a8f6a', '#7c5f96', '#44506b'][
            (at * 2 + row * 3) % 6
          ] as string,
          ['#3a2f2f', '#4a3a30', '#2c2a33'][(at + row) % 3] as string,
        ),
      ),
    ]),
  )

const lecture = () =>
  picture(
    ['#22345c', '#2f4a7b'],
    gradient('beam', [
      [0, '#ffffff'],
      [1, '#ffffff'],
    ]),
    shape('M220 20 L70 292 H370 Z', '#ffffff', 0.06),
    rect(96, 36, 248, 132, '#f4f1e8', 4),
    shape('M120 150 V96 h26 v54 z', '#e07a4f'),
    shape('M158 150 V74 h26 v76 z', '#e9a84c'),
    shape('M196 150 v-40 h26 v40 z', '#5b9aa0'),
    shape('M234 150 V60 h26 v90 z', '#3b6ea5'),
    line('M118 150 h160', '#8b93a5', 2),
    circle(304, 84, 20, '#e9a84c'),
    shape('M304 84 V64 a20 20 0 0 1 17 30 z', '#e07a4f'),
    line('M288 122 h32 M288 132 h24', '#a3a9b7', 3),
    ground(214, '#1b2a4a'),
    shape('M300 214 l6 -46 h40 l6 46 z', '#7b5a45'),
    rect(298, 162, 56, 8, '#92705a', 2),
    person(278, 216, 72, '#e9e4d8', '#e4b999', '#2b2530', '#3b4a6b'),
    repeat(7, (at) =>
      listener(
        30 + at * 64,
        244,
        19,
        ['#42567f', '#5a4d72', '#345a6b'][at % 3] as string,
        '#141d36',
      ),
    ),
  )

const lab = () =>
  picture(
    ['#e4f0f1', '#cfe3e4'],
    rect(0, 34, width, 70, '#d5e7e8'),
    rect(24, 44, 392, 6, '#a8c4c6', 2),
    rect(24, 92, 392, 6, '#a8c4c6', 2),
    repeat(11, (at) => {
      const x = 40 + at * 34
      const color = ['#e2795b', '#eab24f', '#5fa3a6', '#86b06a', '#8a78b4'][at % 5] as string
      return at % 2
        ? [
            rect(x, 66, 14, 26, '#ffffff', 3),
            rect(x, 76, 14, 16, color, 3),
            rect(x + 3, 60, 8, 8, '#b9cfd1', 1),
          ]
        : [rect(x, 72, 20, 20, color, 2), rect(x + 4, 78, 12, 6, '#ffffff', 1)]
    }),
    ground(216, '#f7f4ec'),
    rect(0, 210, width, 10, '#b99a73'),
    // flask, retort stand, microscope
    shape(
      'M96 124 h22 v30 l30 48 a8 8 0 0 1 -7 12 h-68 a8 8 0 0 1 -7 -12 l30 -48 z',
      '#ffffff',
      0.75,
    ),
    shape('M79 180 h56 l13 22 a8 8 0 0 1 -7 12 h-68 a8 8 0 0 1 -7 -12 z', '#e2795b'),
    circle(100, 196, 5, '#fff', 0.6),
    circle(116, 202, 3.5, '#fff', 0.6),
    circle(108, 186, 3, '#fff', 0.6),
    rect(93, 120, 28, 6, '#a8c4c6', 3),
    rect(196, 124, 4, 88, '#7b8791'),
    rect(178, 208, 48, 6, '#5c6771', 2),
    line('M198 140 h34', '#7b8791', 4),
    shape('M222 136 h22 v40 a11 11 0 0 1 -22 0 z', '#ffffff', 0.85),
    shape('M222 158 h22 v18 a11 11 0 0 1 -22 0 z', '#5fa3a6'),
    group(
      'translate(318 118)',
      shape('M20 8 l18 -8 l22 52 l-18 8 z', '#3e4c63'),
      rect(44, 56, 12, 16, '#5c6771'),
      shape('M6 92 q-16 -50 26 -60 l4 10 q-30 10 -18 50 z', '#53617a'),
      rect(-6, 86, 84, 9, '#3e4c63', 3),
      rect(26, 72, 46, 5, '#7b8791', 2),
    ),
    repeat(4, (at) => [
      rect(262 + at * 13, 178, 8, 34, '#ffffff', 4, 0.9),
      rect(
        262 + at * 13,
        194 - at * 3,
        8,
        18 + at * 3,
        ['#eab24f', '#86b06a', '#8a78b4', '#e2795b'][at] as string,
        4,
      ),
    ]),
    rect(256, 196, 60, 6, '#a8794e', 2),
    rect(60, 236, 120, 8, '#dfd6c4', 4),
    rect(60, 252, 84, 8, '#e8e1d3', 4),
  )

const sportsField = () =>
  picture(
    ['#bfe0f2', '#eaf5f3'],
    cloud(110, 54, 1.1),
    cloud(300, 38, 0.8),
    cloud(390, 70, 0.6),
    hills(140, 22, '#b4d0c2', 0.8),
    rect(0, 116, width, 30, '#9aa6b5'),
    repeat(3, (row) =>
      repeat(44, (at) =>
        circle(
          6 + at * 10,
          122 + row * 9,
          3,
          ['#d9694f', '#f0c15a', '#f4f1ea', '#3f7fb0', '#5f9f74'][(at * 3 + row) % 5] as string,
        ),
      ),
    ),
    rect(0, 144, width, 6, '#6f7b8c'),
    ground(150, '#73b06f'),
    repeat(6, (at) => shape(`M${at * 80 - 40} 150 h40 l-10 26 h-50 z`, '#7fbb79')),
    shape('M0 176 H440 V292 H0 Z', '#c65f45'),
    repeat(5, (at) =>
      line(`M0 ${190 + at * 24} Q220 ${182 + at * 23} 440 ${190 + at * 24}`, '#f4e3d6', 2.2),
    ),
    // three runners
    [
      [110, 226, '#2f6db0'],
      [214, 214, '#f0b441'],
      [318, 240, '#ffffff'],
    ].flatMap(([x, y, color]) =>
      group(
        `translate(${x} ${y})`,
        line('M-4 -22 L8 -6 L0 12', '#e2b391', 6),
        line('M0 -22 L-12 -8 L-26 -4', '#e2b391', 6),
        rect(-9, -50, 17, 30, color as string, 7),
        line('M-4 -44 L-18 -36 L-12 -26', '#e2b391', 5),
        line('M4 -44 L16 -36 L24 -46', '#e2b391', 5),
        circle(4, -58, 8, '#e2b391'),
        shape('M-4 -60 a8 8 0 0 1 15 -3 q-8 -1 -15 3 z', '#3a2f2f'),
        rect(-8, -26, 15, 9, '#39435a', 3),
      ),
    ),
  )

const snowyPine = (x: number, y: number, h: number) => [
  pine(x, y, h, '#6f8aa0'),
  shape(
    `M${x} ${y - h} l${h * 0.13} ${h * 0.31} l${-h * 0.13} ${-h * 0.05} l${-h * 0.13} ${h * 0.05} Z`,
    '#f4f7fa',
  ),
  line(
    `M${x - h * 0.22} ${y - h * 0.33} l${h * 0.16} ${-h * 0.06} M${x + h * 0.1} ${y - h * 0.15} l${h * 0.17} ${h * 0.03}`,
    '#f4f7fa',
    3,
  ),
]

const snow = () =>
  picture(
    ['#aebfd6', '#dce5ee', '#f3f4f6'],
    hills(150, 60, '#c7d3e2', 0.5),
    hills(176, 42, '#dbe3ec', 2.0),
    shape('M40 150 l28 -30 l18 20 l14 -8 l20 22 z', '#f7f9fb', 0.8),
    repeat(6, (at) => snowyPine(30 + at * 26, 214 + (at % 2) * 6, 60 + (at % 3) * 20)),
    ground(208, '#f4f6f8'),
    shape('M0 236 q110 -26 220 -6 t220 -14 V292 H0 Z', '#e6ecf2'),
    // bus stop with a lamp
    rect(268, 150, 120, 6, '#5b7087', 2),
    shape('M262 150 q66 -16 132 0 z', '#ffffff'),
    rect(276, 156, 4, 66, '#5b7087'),
    rect(376, 156, 4, 66, '#5b7087'),
    rect(280, 160, 96, 44, '#9fb6ca', 2, 0.5),
    rect(292, 204, 72, 5, '#8b6a4e', 2),
    rect(298, 209, 4, 12, '#6d5444'),
    rect(354, 209, 4, 12, '#6d5444'),
    person(330, 224, 50, '#c2503f'),
    shape('M318 186 h26 v6 h-26 z', '#f0c15a'),
    rect(238, 134, 3, 92, '#47586b'),
    circle(239.5, 132, 16, '#ffe7b3', 0.35),
    circle(239.5, 132, 6, '#ffe7b3'),
    repeat(70, (at) =>
      circle(
        (at * 83) % 440,
        (at * 47 + (at % 7) * 31) % 280,
        1.2 + (at % 4) * 0.7,
        '#ffffff',
        0.9,
      ),
    ),
  )

const sunrise = () =>
  picture(
    ['#5b6fa6', '#c98ba0', '#f7b98b', '#fde3b6'],
    sun(220, 178, 34, '#fff1c9'),
    repeat(3, (at) => rect(40 + at * 130, 70 + at * 22, 110, 5, '#ffffff', 3, 0.25)),
    hills(190, 30, '#a9708e', 0.1, 0.8),
    hills(208, 24, '#7a5680', 1.9, 0.95),
    ground(214, '#4a3f66'),
    repeat(11, (at) =>
      building(at * 40, 200 - ((at * 37) % 34), 36, 92, '#413a60', {
        columns: 3,
        rows: 5,
        color: '#554b76',
        lit: '#f8cf8f',
        margin: 5,
        gap: 4,
      }),
    ),
    rect(0, 258, width, 34, '#2c2845'),
    rect(0, 252, width, 4, '#2c2845'),
    repeat(20, (at) => rect(at * 23, 238, 2.5, 20, '#2c2845')),
    rect(0, 236, width, 3, '#2c2845'),
    person(120, 262, 62, '#1f1c36', '#1f1c36', '#1f1c36', '#1f1c36'),
    person(164, 262, 58, '#1f1c36', '#1f1c36', '#1f1c36', '#1f1c36'),
    repeat(6, (at) =>
      line(`M${250 + at * 22} ${86 + ((at * 29) % 34)} q5 -6 10 0 q5 -6 10 0`, '#3c3560', 2),
    ),
  )

const books = () =>
  picture(
    ['#f2e3cd', '#ead3b2'],
    rect(268, 0, 172, 220, '#c9dfe6'),
    circle(372, 70, 26, '#fff3cf', 0.9),
    shape('M268 160 q60 -40 172 -16 V220 H268 Z', '#9dbfa5'),
    line('M354 0 V220 M268 106 H440', '#fffaf0', 6),
    rect(262, 0, 7, 226, '#fffaf0'),
    rect(256, 216, 190, 9, '#fffaf0'),
    ground(226, '#b07d52'),
    rect(0, 222, width, 8, '#c79468'),
    [
      ['#c4543f', 150, 26],
      ['#2f5f8a', 130, 20],
      ['#e3a941', 158, 24],
      ['#55856a', 140, 18],
      ['#7b5c92', 120, 22],
      ['#a58d6f', 148, 16],
    ].flatMap(([color, h, w], at) => {
      const x = 36 + at * 31 - (at > 3 ? 4 : 0)
      return [
        rect(x, 222 - Number(h), Number(w), Number(h), color as string, 2),
        rect(x + 3, 232 - Number(h), Number(w) - 6, 4, '#fff6e0', 1, 0.7),
        rect(x + 3, 206, Number(w) - 6, 3, '#fff6e0', 1, 0.6),
      ]
    }),
    // an open book and a cup
    shape('M236 246 q40 -22 78 -4 q40 -18 80 4 l10 30 q-48 -14 -90 0 q-42 -14 -90 0 z', '#fffaf0'),
    line('M314 242 v34', '#d9c7a6', 2),
    line(
      'M252 252 q28 -10 52 -2 M256 262 q26 -8 50 -1 M326 250 q28 -10 52 2 M326 261 q28 -8 56 2',
      '#cdbb9b',
      2,
    ),
    rect(60, 240, 40, 32, '#f4f0e6', 6),
    line('M100 248 q14 0 12 12 q-2 8 -14 8', '#f4f0e6', 4),
    line('M70 232 q-5 -8 0 -15 M82 232 q-5 -8 0 -15', '#ffffff', 2.5, 0.8),
  )

const graduation = () =>
  picture(
    ['#d7e7f1', '#f4efe2'],
    hills(176, 28, '#bcd2c8', 0.9),
    building(20, 120, 110, 96, '#dccfb8', { columns: 5, rows: 4, color: '#8ba9b8' }),
    shape('M12 120 h126 l-14 -14 h-98 z', '#a9744f'),
    tree(330, 224, 120, '#e2b04a', '#f3d078'),
    tree(396, 228, 96, '#d99a3c', '#f0c566'),
    ground(216, '#a8c490'),
    repeat(26, (at) => ellipse((at * 61) % 440, 222 + ((at * 17) % 64), 3.4, 2, '#e7b955', 0.8)),
    [70, 140, 210, 280, 350].flatMap((x, at) => [
      shape(`M${x - 22} 292 q-2 -66 22 -70 q24 4 22 70 z`, at % 2 ? '#2c3d66' : '#34477a'),
      shape(`M${x - 8} 224 l8 18 l8 -18 z`, '#f3d078'),
      circle(x, 208, 13, ['#e9c3a3', '#dcae8b', '#f0cfb2'][at % 3] as string),
      shape(`M${x - 13} 208 q0 -14 13 -14 q13 0 13 14 q-13 -7 -26 0 z`, '#2f2a30'),
    ]),
    [
      [70, 196, 0],
      [140, 120, -14],
      [210, 86, 10],
      [280, 128, 18],
      [350, 196, 0],
    ].map(([x, y, turn]) =>
      group(
        `translate(${x} ${y}) rotate(${turn})`,
        shape('M-24 0 L0 -10 L24 0 L0 10 Z', '#1f2c4d'),
        line('M22 0 v14', '#e9b949', 2),
        circle(22, 15, 2.5, '#e9b949'),
      ),
    ),
    [140, 210, 280].map((x) =>
      line(`M${x} 222 l${x === 140 ? -10 : x === 280 ? 12 : 4} -40`, '#34477a', 7),
    ),
  )

const choir = () =>
  picture(
    ['#4a2338', '#7a3b46'],
    gradient('light', [
      [0, '#ffe7b8'],
      [1, '#ffe7b8'],
    ]),
    repeat(3, (at) => shape(`M${90 + at * 130} 0 l-70 220 h140 z`, '#ffe7b8', 0.09)),
    repeat(9, (at) => rect(at * 50, 0, 24, 176, '#5b2b3e', 0, 0.55)),
    shape('M0 0 H440 V26 Q330 50 220 26 Q110 50 0 26 Z', '#8f2f3c'),
    repeat(8, (at) => circle(28 + at * 55, 36 + (at % 2) * 3, 3, '#e9b949')),
    [0, 1, 2].map((row) => [
      rect(
        30 - row * 12,
        176 + row * 32,
        380 + row * 24,
        34,
        ['#9a6244', '#8a5539', '#7a492f'][row] as string,
        2,
      ),
      repeat(9 - row, (at) => {
        const x = 62 + row * 20 + at * 40
        const y = 178 + row * 32
        return [
          shape(`M${x - 12} ${y} q-1 -44 12 -46 q13 2 12 46 z`, row % 2 ? '#f1e6d2' : '#23304f'),
          circle(x, y - 53, 8.5, ['#e9c3a3', '#d9aa86', '#f0cfb2'][(at + row) % 3] as string),
          shape(
            `M${x - 9} ${y - 53} a9 9 0 0 1 18 0 q-9 -6 -18 0 z`,
            ['#2b2325', '#49352b'][at % 2] as string,
          ),
          ellipse(x, y - 49, 2, 2.6, '#8b3b3b'),
          rect(x - 10, y - 30, 20, 12, '#b8413f', 1),
        ]
      }),
    ]),
    ground(272, '#5c3527'),
    shape('M206 292 q0 -40 16 -42 q18 2 18 42 z', '#17130f'),
    circle(223, 240, 9, '#2b2325'),
    line('M214 262 l-30 -26 M234 262 l30 -30 l10 -14', '#17130f', 6),
  )

const robot = () =>
  picture(
    ['#e6ecf3', '#ccd8e4'],
    repeat(7, (at) => rect(at * 66, 0, 1.5, 220, '#b9c8d7')),
    repeat(4, (at) => rect(0, 40 + at * 52, width, 1.5, '#b9c8d7')),
    ground(222, '#8794a5'),
    rect(0, 218, width, 6, '#6f7c8e'),
    repeat(10, (at) => shape(`M${at * 50} 224 h24 l-14 14 h-24 z`, '#e9b13f')),
    // arm
    rect(70, 196, 96, 26, '#3d4a5f', 4),
    rect(88, 176, 60, 24, '#526079', 5),
    line('M118 178 L150 104', '#e8743b', 26),
    line('M150 104 L262 92', '#e8743b', 20),
    line('M262 92 L292 142', '#f0894f', 15),
    circle(118, 178, 17, '#3d4a5f'),
    circle(118, 178, 7, '#aab6c6'),
    circle(150, 104, 16, '#3d4a5f'),
    circle(150, 104, 6.5, '#aab6c6'),
    circle(262, 92, 13, '#3d4a5f'),
    circle(262, 92, 5, '#aab6c6'),
    line('M292 142 l-16 20 v12 M292 142 l18 18 v12', '#3d4a5f', 6),
    shape('M276 172 h34 v26 h-34 z', '#4a90b8'),
    shape('M276 172 l10 -8 h34 l-10 8 z', '#6fb0d2'),
    shape('M310 172 l10 -8 v26 l-10 8 z', '#377799'),
    rect(220, 198, 190, 8, '#3d4a5f', 4),
    repeat(8, (at) => circle(232 + at * 24, 210, 6, '#526079')),
    rect(232, 172, 26, 26, '#e9b13f', 2),
    rect(350, 172, 26, 26, '#5f9f74', 2),
    rect(330, 34, 84, 58, '#2f3b50', 4),
    line('M340 76 l14 -16 l12 10 l14 -24 l22 12', '#6fd0b2', 2.5),
    circle(404, 44, 3, '#6fd0b2'),
  )

const bridge = () =>
  picture(
    ['#f6d9b8', '#f2e8da', '#cfe0e6'],
    sun(350, 92, 20, '#f3a35f'),
    hills(168, 26, '#b8c8cb', 1.4),
    hills(178, 16, '#94adb2', 0.1),
    ground(190, '#7faab9'),
    ripples(202, '#eef5f4', 0.5, 2),
    ellipse(350, 206, 30, 4, '#f6c491', 0.7),
    // a cable-stayed bridge
    shape('M132 232 l10 -176 h6 l10 176 h-8 l-5 -90 l-5 90 z', '#54606f'),
    shape('M292 232 l10 -176 h6 l10 176 h-8 l-5 -90 l-5 90 z', '#54606f'),
    repeat(7, (at) => [
      line(
        `M145 ${64 + at * 7} L${20 + at * 16} 170 M145 ${64 + at * 7} L${218 - at * 10} 170 M305 ${64 + at * 7} L${428 - at * 16} 170 M305 ${64 + at * 7} L${226 + at * 10} 170`,
        '#7b8694',
        1.3,
      ),
    ]),
    rect(0, 168, width, 8, '#46515f'),
    rect(0, 176, width, 4, '#6b7683'),
    rect(126, 228, 40, 12, '#5a6673', 2),
    rect(286, 228, 40, 12, '#5a6673', 2),
    repeat(5, (at) => [
      rect(
        34 + at * 88,
        160,
        16,
        7,
        ['#c2503f', '#f4f1ea', '#2f6db0', '#e9b13f', '#5f9f74'][at] as string,
        2,
      ),
      circle(38 + at * 88, 167, 2, '#2c3440'),
      circle(46 + at * 88, 167, 2, '#2c3440'),
    ]),
    shape('M196 252 h64 l-10 16 h-44 z', '#8f3f37'),
    rect(212, 240, 26, 12, '#f4efe2', 2),
    rect(230, 230, 5, 12, '#54606f'),
    ripples(262, '#eef5f4', 0.4, 1).slice(0, 4),
  )

const canteen = () =>
  picture(
    ['#f9ecd4', '#f3d9b0'],
    rect(0, 0, width, 66, '#c9583e'),
    repeat(11, (at) =>
      shape(`M${at * 40} 66 h40 v12 a20 14 0 0 1 -40 0 z`, at % 2 ? '#fff4e2' : '#d9694f'),
    ),
    repeat(3, (row) =>
      rect(24, 20 + row * 14, [120, 90, 104][row] as number, 5, '#f0b441', 2, 0.8),
    ),
    rect(330, 96, 84, 50, '#fff8ea', 3),
    line('M342 110 h44 M342 120 h58 M342 130 h36', '#d9a877', 3),
    // the cook, behind the counter
    person(262, 246, 128, '#ffffff', '#e9c3a3', '#3a2f2f'),
    rect(246, 112, 32, 13, '#ffffff', 4),
    circle(254, 110, 9, '#ffffff'),
    circle(263, 106, 10, '#ffffff'),
    circle(271, 110, 9, '#ffffff'),
    rect(250, 160, 24, 40, '#d9694f', 4),
    rect(0, 190, width, 14, '#a9744f'),
    ground(204, '#8a5a3b'),
    repeat(9, (at) => rect(at * 50, 210, 44, 82, '#95643f', 2)),
    // steamers, noodles and the cook
    [
      [86, 166, 3],
      [170, 166, 2],
    ].flatMap(([x, y, n]) =>
      repeat(Number(n), (at) => [
        rect(Number(x) - 38, Number(y) - at * 24, 76, 22, at % 2 ? '#dcb77f' : '#e6c48e', 4),
        rect(Number(x) - 38, Number(y) + 8 - at * 24, 76, 3, '#b98d54'),
      ]),
    ),
    repeat(3, (at) => [
      circle(64 + at * 22, 112, 11, '#fffaf0'),
      line(`M${58 + at * 22} 108 q6 -5 12 0`, '#e5d8c0', 1.5),
    ]),
    repeat(3, (at) => line(`M${66 + at * 20} 94 q-8 -12 0 -22 q7 -10 0 -18`, '#ffffff', 3, 0.8)),
    shape('M322 166 h76 q-2 26 -24 26 h-28 q-22 0 -24 -26 z', '#2f6d8f'),
    shape('M326 166 q34 -16 68 0 z', '#f3d38a'),
    line('M340 162 q8 -8 16 0 q8 -8 16 0', '#e0b75e', 3),
    line('M370 156 L404 116 M378 158 L414 122', '#8a5a3b', 3.5),
    circle(350, 160, 5, '#5f9f74'),
    circle(376, 162, 6, '#c9583e'),
  )

const train = () =>
  picture(
    ['#bcd9ea', '#e6f0ea'],
    cloud(80, 48, 0.9),
    cloud(260, 62, 1.1),
    hills(150, 52, '#a9c7bb', 0.6),
    hills(176, 30, '#86b09a', 2.4),
    ground(196, '#b9cf8f'),
    repeat(12, (at) =>
      shape(`M${at * 44 - 30} 292 q30 -40 60 -92 h12 q-12 56 -34 92 z`, '#a9c27d', 0.7),
    ),
    rect(0, 208, width, 12, '#c9c6bd'),
    repeat(6, (at) => shape(`M${24 + at * 80} 220 h18 l4 72 h-26 z`, '#b3afa5')),
    rect(0, 204, width, 4, '#8d8a82'),
    shape('M0 150 H300 q70 2 122 42 q8 8 -4 12 H0 Z', '#f7f8f8'),
    shape('M0 186 H410 q14 6 8 18 H0 Z', '#2f6db0'),
    shape('M0 180 H396 l8 6 H0 Z', '#e8743b'),
    shape('M318 158 q40 6 66 24 h-52 q-12 0 -14 -24 z', '#2b3b52'),
    repeat(7, (at) => rect(12 + at * 42, 160, 30, 14, '#3d5470', 4)),
    repeat(3, (at) => line(`M${20 + at * 140} 142 l14 -22 l14 22`, '#7b8694', 1.5)),
    line('M0 118 H440', '#7b8694', 1.2),
    repeat(4, (at) => rect(60 + at * 120, 112, 3, 40, '#8b95a0')),
    repeat(4, (at) =>
      line(`M${300 + at * 30} ${226 + at * 14} h${90 - at * 16}`, '#ffffff', 2, 0.7),
    ),
  )

const seminar = () =>
  picture(
    ['#f1ede4', '#e2dccd'],
    rect(36, 30, 150, 96, '#cfe3ea', 3),
    shape('M36 104 q50 -28 150 -8 V126 H36 Z', '#a7c7a3'),
    line('M111 30 V126', '#ffffff', 5),
    rect(230, 34, 170, 84, '#ffffff', 4),
    line('M248 56 h70 M248 70 h96 M248 84 h54', '#b8c2cc', 3),
    circle(368, 78, 18, '#f0c15a'),
    line('M344 96 q14 -22 24 -10', '#e07a4f', 2.5),
    ground(226, '#c9b795'),
    ellipse(220, 224, 170, 40, '#a9744f'),
    ellipse(220, 218, 170, 38, '#c79468'),
    [
      [92, 176, '#3f7fb0'],
      [160, 160, '#d9694f'],
      [232, 156, '#5f9f74'],
      [304, 164, '#7c5f96'],
      [360, 182, '#e9a84c'],
    ].flatMap(([x, y, color], at) => [
      shape(`M${Number(x) - 26} ${Number(y) + 34} q0 -36 26 -38 q26 2 26 38 z`, color as string),
      circle(Number(x), Number(y) - 16, 15, ['#e9c3a3', '#d9aa86', '#f0cfb2'][at % 3] as string),
      shape(
        `M${Number(x) - 16} ${Number(y) - 16} a16 16 0 0 1 32 0 q-8 -9 -16 -7 q-10 0 -16 7 z`,
        ['#2b2325', '#5a3f2f', '#34303b'][at % 3] as string,
      ),
    ]),
    ellipse(220, 224, 150, 30, '#d2a377'),
    rect(140, 214, 44, 20, '#ffffff', 2),
    rect(206, 226, 40, 18, '#f7f1e2', 2),
    rect(276, 212, 46, 22, '#3d4a5f', 3),
    rect(280, 215, 38, 15, '#9fd0e0', 2),
    rect(256, 234, 10, 14, '#ffffff', 2),
    ellipse(261, 234, 5, 2, '#7a4d36'),
    listener(120, 270, 26, '#44506b', '#2b2325'),
    listener(324, 272, 26, '#b4575a', '#4a3a30'),
  )

const telescope = () =>
  picture(
    ['#0f1838', '#27346a', '#5a5690'],
    repeat(90, (at) =>
      circle(
        (at * 79) % 440,
        (at * 53 + (at % 5) * 17) % 190,
        0.7 + (at % 5 === 0 ? 1 : 0) * 0.9,
        '#ffffff',
        0.5 + (at % 3) * 0.2,
      ),
    ),
    // the planet with its ring
    group(
      'translate(330 78) rotate(-18)',
      ellipse(0, 0, 54, 13, '#d9c193', 0.5),
      circle(0, 0, 26, '#e8c48c'),
      rect(-26, -6, 52, 4, '#d3a96f', 2, 0.6),
      rect(-24, 5, 48, 5, '#d9b27a', 2, 0.7),
      shape('M-54 0 a54 13 0 0 0 108 0 l-8 0 a46 8 0 0 1 -92 0 z', '#f0dcb4'),
    ),
    hills(232, 30, '#2b3058', 0.3),
    ground(246, '#1a1e3c'),
    shape('M42 250 v-46 a58 58 0 0 1 116 0 v46 z', '#3d4575'),
    shape('M42 204 a58 58 0 0 1 116 0 z', '#525b92'),
    shape('M92 148 q14 -4 22 0 l26 48 h-26 z', '#141b3d'),
    line('M108 196 L150 138', '#c9a35c', 11),
    line('M146 144 L158 127', '#e2c27d', 14),
    rect(40, 200, 120, 7, '#2f3768', 2),
    rect(88, 222, 24, 28, '#f3c987', 2),
    person(214, 262, 52, '#141a38', '#141a38', '#141a38', '#141a38'),
    person(240, 262, 40, '#141a38', '#141a38', '#141a38', '#141a38'),
    line('M218 230 l20 -18', '#141a38', 4),
    line('M60 40 l34 10', '#ffffff', 1.5, 0.8),
    circle(96, 51, 1.8, '#fff'),
  )

const leafSprig = (color: string, vein: string) => [
  line('M0 60 Q-2 0 4 -62', vein, 2.5),
  repeat(7, (at) => {
    const y = 44 - at * 16
    const size = 30 - at * 2.6
    return [
      shape(
        `M1 ${y} q${size} -${size * 0.9} ${size * 1.5} -${size * 0.3} q-${size * 0.6} ${size * 0.6} -${size * 1.5} ${size * 0.3} z`,
        color,
      ),
      shape(
        `M0 ${y - 6} q-${size} -${size * 0.9} -${size * 1.5} -${size * 0.3} q${size * 0.6} ${size * 0.6} ${size * 1.5} ${size * 0.3} z`,
        color,
        0.88,
      ),
    ]
  }),
]
const herbarium = () =>
  picture(
    ['#d9c9ae', '#c9b592'],
    group(
      'rotate(-3 150 150)',
      rect(44, 24, 164, 244, '#fbf6e9', 2),
      rect(48, 28, 156, 236, 'none'),
      group('translate(122 142) scale(1.25)', leafSprig('#6d9a63', '#4e7148')),
      rect(130, 222, 64, 34, '#ffffff', 1),
      line('M136 232 h50 M136 240 h40 M136 248 h46', '#b5a88d', 2),
      rect(100, 214, 30, 5, '#fff', 1, 0.9),
      rect(112, 100, 26, 5, '#fff', 1, 0.9),
    ),
    group(
      'rotate(4 320 150)',
      rect(236, 34, 164, 236, '#fdf9ee', 2),
      group(
        'translate(306 150)',
        line('M0 84 Q6 20 -4 -60', '#6f6a3f', 2.5),
        repeat(5, (at) =>
          group(
            `translate(${(at % 2 ? 1 : -1) * 4} ${60 - at * 26}) rotate(${at % 2 ? 48 : -48})`,
            ellipse(0, -24, 9, 24, at % 2 ? '#a7a552' : '#8d9447'),
            line('M0 0 V-42', '#6f6a3f', 1.2),
          ),
        ),
        repeat(6, (at) =>
          group(`translate(-4 -66) rotate(${at * 60})`, ellipse(0, -13, 6.5, 12, '#c4687a')),
        ),
        circle(-4, -66, 6, '#f0c15a'),
      ),
      rect(250, 228, 62, 32, '#ffffff', 1),
      line('M256 238 h48 M256 246 h38', '#b5a88d', 2),
    ),
    group(
      'translate(222 216) rotate(24)',
      circle(0, 0, 26, '#d7ebf0', 0.75),
      `<circle r="26" fill="none" stroke="#4a4038" stroke-width="6"/>`,
      rect(-4, 28, 8, 44, '#7a4d36', 4),
    ),
  )

const kiln = () =>
  picture(
    ['#3a2a2c', '#6b4136', '#a35b3b'],
    rect(0, 0, width, 40, '#2c2022'),
    repeat(7, (at) => rect(at * 66 - 6, 0, 10, 44, '#3b2b2b')),
    shape('M40 246 V142 q0 -96 112 -96 t112 96 V246 Z', '#8b4a36'),
    repeat(6, (row) =>
      repeat(row ? 8 : 6, (at) =>
        rect(
          52 + (row ? at : at + 1) * 27 - (row % 2) * 12,
          92 + row * 26,
          24,
          22,
          '#9b5840',
          2,
          0.75,
        ),
      ),
    ),
    shape('M98 246 v-64 a54 54 0 0 1 108 0 v64 z', '#2a1512'),
    shape('M108 246 v-58 a44 44 0 0 1 88 0 v58 z', '#e8602c'),
    shape('M120 246 q-2 -44 18 -66 q0 20 12 24 q0 -30 18 -46 q2 30 12 44 q10 16 4 44 z', '#f6a33a'),
    shape('M138 246 q-2 -26 12 -40 q4 14 10 16 q4 -10 8 -14 q8 22 0 38 z', '#fde08a'),
    circle(152, 200, 120, '#f7a94a', 0.08),
    ground(244, '#4a2f2a'),
    rect(286, 120, 140, 8, '#7a5240', 2),
    rect(286, 184, 140, 8, '#7a5240', 2),
    rect(290, 120, 6, 128, '#65422f'),
    rect(416, 120, 6, 128, '#65422f'),
    [
      [306, 118, '#7fb0a8'],
      [340, 118, '#d9cbb0'],
      [374, 118, '#4a7fa0'],
      [402, 118, '#c9825a'],
    ].flatMap(([x, y, c]) => [
      shape(
        `M${Number(x) - 13} ${Number(y) - 20} h26 q0 18 -8 20 h-10 q-8 -2 -8 -20 z`,
        c as string,
      ),
      ellipse(Number(x), Number(y) - 20, 13, 3, '#fff5e0', 0.5),
    ]),
    [
      [314, 182, '#c9825a'],
      [356, 182, '#8fb7c4'],
      [396, 182, '#e2d6bd'],
    ].map(([x, y, c]) =>
      shape(
        `M${Number(x) - 8} ${Number(y) - 44} h16 q-4 8 4 16 q8 14 -4 28 h-16 q-12 -14 -4 -28 q8 -8 4 -16 z`,
        c as string,
      ),
    ),
    repeat(3, (at) =>
      group(
        `translate(${22 + at * 6} ${262 - at * 9})`,
        rect(0, 0, 64, 9, '#8a5f45', 4),
        circle(64, 4.5, 4.5, '#c99a72'),
      ),
    ),
    person(262, 262, 84, '#4f6b7d', '#e0b08a', '#cfc7bf'),
  )

const rowing = () =>
  picture(
    ['#f5d8bd', '#e3e3df', '#bcd3d8'],
    sun(92, 92, 18, '#f39c63'),
    hills(138, 26, '#b6c4c6', 0.6, 0.8),
    hills(150, 14, '#8fa8ac', 2.6),
    rect(0, 148, width, 8, '#ffffff', 0, 0.35),
    ground(152, '#8db7c1'),
    ripples(166, '#f6f4ec', 0.5, 3),
    ellipse(92, 170, 22, 4, '#f6bf8e', 0.7),
    rect(0, 158, width, 10, '#ffffff', 5, 0.25),
    repeat(4, (at) => line(`M${116 + at * 62} 198 L${86 + at * 62} 244`, '#d9694f', 3)),
    repeat(4, (at) => shape(`M${82 + at * 62} 240 l10 2 l-8 18 l-9 -3 z`, '#f4efe2')),
    shape('M26 206 q180 22 390 -6 q-40 26 -190 28 q-150 0 -200 -22 z', '#7a3f34'),
    shape('M26 206 q180 22 390 -6 l-10 -2 q-190 22 -372 2 z', '#a65a45'),
    repeat(4, (at) => {
      const x = 128 + at * 62
      return [
        line(`M${x} 200 L${x - 18} 168`, '#f7f3ea', 17),
        line(`M${x - 16} 174 L${x + 14} 188`, '#e2b391', 6),
        circle(x - 23, 152, 9, '#e2b391'),
        shape(`M${x - 32} 152 a9 9 0 0 1 17 -5 q-9 -1 -17 5 z`, '#2f2a30'),
        line(`M${x - 2} 204 L${x + 24} 204`, '#2f4a6b', 9),
      ]
    }),
    shape('M374 200 q-2 -30 12 -32 q14 2 12 30 z', '#2f6d8f'),
    circle(386, 158, 9, '#e2b391'),
    shape('M376 156 q10 -12 20 0 l5 1 v2 h-25 z', '#c2503f'),
    repeat(5, (at) =>
      line(`M${20 + at * 60} ${256 + (at % 2) * 8} h${40 + at * 6}`, '#f6f4ec', 2, 0.6),
    ),
  )

const campusRoad = () =>
  picture(
    ['#d5e8ee', '#f3efdf'],
    hills(150, 22, '#bfd6c8', 1.1),
    building(150, 96, 140, 74, '#e3d5bd', { columns: 7, rows: 3, color: '#8aa9b6', margin: 7 }),
    rect(144, 90, 152, 8, '#b98e66', 1),
    ground(168, '#b7cd95'),
    shape('M196 168 h48 L400 292 H40 Z', '#d8d0c1'),
    repeat(5, (at) =>
      shape(
        `M${218 - at * 1.2} ${178 + at * at * 5 + at * 4} h${4 + at * 2.4} l1 ${6 + at * 3} h-${6 + at * 2.4} z`,
        '#f7f3ea',
      ),
    ),
    [
      [176, 176, 60],
      [150, 190, 86],
      [112, 212, 124],
      [58, 246, 178],
    ].map(([x, y, h]) => [
      tree(x as number, y as number, h as number, '#dea83f', '#f2cd72'),
      tree(440 - (x as number), y as number, h as number, '#d8993a', '#eec063'),
    ]),
    repeat(34, (at) => ellipse((at * 71) % 440, 214 + ((at * 29) % 74), 3.2, 1.8, '#e6b54c', 0.9)),
    // two cyclists
    [
      [196, 262, '#c2503f'],
      [254, 246, '#2f6db0'],
    ].map(([x, y, color]) =>
      group(
        `translate(${x} ${y})`,
        `<circle cx="-14" r="12" fill="none" stroke="#3d4450" stroke-width="2.5"/><circle cx="16" r="12" fill="none" stroke="#3d4450" stroke-width="2.5"/>`,
        line(
          'M-14 0 L-4 -16 L12 -16 L0 0 Z M12 -18 L16 0 M-4 -16 l-2 -6 M12 -18 l-1 -6 h6',
          '#3d4450',
          2.5,
        ),
        line('M-5 -24 L4 -12 L0 0', '#39435a', 5),
        line('M-4 -26 L2 -46', color as string, 13),
        line('M2 -44 L14 -26', '#e2b391', 4),
        circle(5, -58, 7.5, '#e2b391'),
        shape('M-3 -58 a8 8 0 0 1 15 -3 q-7 0 -15 3 z', '#3a2f2f'),
      ),
    ),
  )

const globeClass = () =>
  picture(
    ['#dfe9f0', '#c9d9e4'],
    rect(30, 30, 380, 150, '#2f3d55', 6),
    rect(40, 40, 116, 130, '#f3c89b', 3),
    rect(162, 40, 116, 130, '#a9d3e6', 3),
    rect(284, 40, 116, 130, '#3a4a86', 3),
    sun(98, 84, 11, '#fff0c9'),
    sun(220, 66, 11, '#fff7dd'),
    circle(352, 66, 9, '#f4efd8'),
    circle(356, 63, 8, '#3a4a86'),
    repeat(9, (at) => circle(294 + ((at * 31) % 98), 50 + ((at * 17) % 40), 1, '#fff')),
    [
      [98, '#c2503f', '#d9aa86'],
      [220, '#e9a84c', '#8c5f45'],
      [342, '#5f9f74', '#f0cfb2'],
    ].flatMap(([x, coat, skin]) => [
      shape(`M${Number(x) - 34} 170 q0 -44 34 -46 q34 2 34 46 z`, coat as string),
      circle(Number(x), 108, 19, skin as string),
      shape(`M${Number(x) - 20} 108 a20 20 0 0 1 40 0 q-10 -12 -20 -9 q-12 0 -20 9 z`, '#2f2a30'),
    ]),
    ground(216, '#b98f63'),
    rect(0, 210, width, 8, '#cda677'),
    group(
      'translate(364 190)',
      circle(0, 0, 30, '#5b9fc4'),
      shape(
        'M-20 -18 q14 -12 24 -4 q-2 12 -12 12 q-8 8 -14 2 q-4 -4 2 -10 z M4 4 q14 -4 20 4 q-4 18 -16 16 q-8 -8 -4 -20 z',
        '#79b07b',
      ),
      line('M-26 26 A37 37 0 0 0 34 -16', '#8a6a4e', 4),
      rect(-3, 34, 6, 10, '#8a6a4e'),
      rect(-22, 42, 44, 6, '#8a6a4e', 3),
    ),
    listener(86, 252, 28, '#44506b', '#2b2325'),
    listener(176, 258, 28, '#8d5a7a', '#4a3a30'),
    listener(266, 254, 28, '#3f7f76', '#2c2a33'),
  )

const clinic = () =>
  picture(
    ['#dff0ee', '#f6f6ee'],
    cloud(80, 50, 0.9),
    cloud(366, 58, 0.8),
    hills(176, 22, '#c3ddd0', 1.5),
    ground(224, '#b9d3a4'),
    building(70, 104, 130, 122, '#f7f4ec', {
      columns: 4,
      rows: 4,
      color: '#9ccbd2',
      margin: 10,
      gap: 8,
    }),
    building(240, 104, 130, 122, '#f7f4ec', {
      columns: 4,
      rows: 4,
      color: '#9ccbd2',
      margin: 10,
      gap: 8,
    }),
    rect(176, 76, 88, 150, '#ffffff'),
    rect(64, 98, 312, 8, '#7fb3ab', 2),
    rect(170, 70, 100, 8, '#5d9a91', 2),
    rect(212, 90, 16, 44, '#2f9f83', 3),
    rect(198, 104, 44, 16, '#2f9f83', 3),
    rect(190, 168, 60, 58, '#8fc3cb', 2),
    line('M220 168 V226', '#ffffff', 3),
    rect(180, 158, 80, 9, '#5d9a91', 3),
    shape('M180 292 l14 -66 h52 l14 66 z', '#e6e0d2'),
    tree(38, 236, 86, '#6aa57a', '#97c796'),
    tree(404, 236, 92, '#6aa57a', '#97c796'),
    rect(292, 240, 84, 36, '#ffffff', 5),
    rect(352, 246, 24, 16, '#9ccbd2', 3),
    rect(292, 262, 84, 5, '#2f9f83'),
    circle(310, 278, 8, '#3d4450'),
    circle(358, 278, 8, '#3d4450'),
    rect(314, 246, 5, 14, '#2f9f83'),
    rect(309.5, 250.5, 14, 5, '#2f9f83'),
    person(132, 272, 44, '#7fb3ab'),
    person(154, 274, 40, '#e9a84c'),
  )

const hillPath = () =>
  picture(
    ['#cfe0e8', '#eef0e4'],
    hills(120, 54, '#bdd0d2', 0.2, 0.9),
    rect(0, 112, width, 12, '#ffffff', 6, 0.5),
    hills(156, 50, '#98b7ad', 1.9),
    rect(0, 150, width, 10, '#ffffff', 5, 0.35),
    hills(196, 40, '#6f9c86', 3.6),
    hills(236, 26, '#4f8068', 5.2),
    shape(
      'M210 292 q-50 -30 10 -48 q50 -14 0 -34 q-34 -12 10 -26 l6 2 q-24 12 14 24 q60 24 0 44 q-40 14 30 38 z',
      '#e9ddc3',
    ),
    repeat(5, (at) => pine(20 + at * 24, 268 + (at % 2) * 10, 70 + (at % 3) * 18, '#2f5f4c')),
    repeat(4, (at) => pine(356 + at * 24, 262 + (at % 2) * 12, 84 + (at % 2) * 20, '#2f5f4c')),
    person(232, 276, 40, '#d9694f'),
    rect(225, 246, 8, 16, '#e9a84c', 3),
    person(254, 262, 32, '#2f6db0'),
    line('M120 66 q6 -7 12 0 q6 -7 12 0 M150 82 q5 -6 10 0 q5 -6 10 0', '#6b7f88', 2),
  )

const serverRoom = () =>
  picture(
    ['#101d33', '#1c3152'],
    shape('M180 60 h80 L330 292 H110 Z', '#23406b'),
    repeat(6, (at) => line(`M${200 - at * 16} ${92 + at * 40} H${240 + at * 16}`, '#2f5486', 1.5)),
    [0, 1, 2].flatMap((at) => {
      const x = [0, 62, 116][at] as number
      const w = [56, 48, 40][at] as number
      const top = [6, 30, 48][at] as number
      const bottom = [292, 240, 204][at] as number
      const side = (left: number) => [
        rect(left, top, w, bottom - top, ['#2b3f5f', '#263957', '#21324d'][at] as string, 2),
        repeat(9, (row) => {
          const y = top + 10 + row * ((bottom - top - 16) / 9)
          return [
            rect(left + 5, y, w - 10, (bottom - top) / 13, '#16243c', 1),
            circle(left + 10, y + 5, 1.8, row % 3 ? '#5fe0a8' : '#f0b441'),
            circle(left + 16, y + 5, 1.8, '#5fb8f0'),
            rect(left + 22, y + 3.5, w - 34, 3, '#35527c', 1),
          ]
        }),
      ]
      return [...side(x), ...side(440 - x - w)]
    }),
    rect(160, 44, 120, 120, '#16243c'),
    rect(166, 50, 108, 114, '#1d3050'),
    shape(
      'M220 74 a22 18 0 0 1 20 12 a14 14 0 0 1 2 28 h-46 a14 14 0 0 1 2 -27 a22 18 0 0 1 22 -13 z',
      '#8fd0f2',
    ),
    line('M208 114 v16 M220 114 v24 M232 114 v16', '#8fd0f2', 2.5),
    circle(208, 133, 3, '#5fe0a8'),
    circle(220, 141, 3, '#f0b441'),
    circle(232, 133, 3, '#5fe0a8'),
    person(220, 262, 70, '#4f7fb0', '#e2b391'),
    rect(228, 212, 26, 18, '#dfe9f3', 2),
  )

const badminton = () =>
  picture(
    ['#e3efe6', '#cfe2d4'],
    repeat(8, (at) => rect(at * 58, 0, 40, 12, '#fff8e0', 4)),
    rect(0, 22, width, 70, '#c3dac9'),
    repeat(5, (at) => rect(24 + at * 86, 34, 58, 40, '#e9f4ee', 3)),
    ground(150, '#3f8a68'),
    shape('M70 168 H370 L430 284 H10 Z', 'none'),
    line('M70 168 H370 L430 284 H10 Z M220 168 V284 M46 212 H394', '#e9f4ee', 2.5),
    rect(40, 116, 5, 110, '#4a5568'),
    rect(395, 116, 5, 110, '#4a5568'),
    rect(44, 128, 352, 46, '#ffffff', 0, 0.3),
    repeat(22, (at) => line(`M${44 + at * 16} 128 v46`, '#ffffff', 0.8, 0.7)),
    repeat(4, (at) => line(`M44 ${134 + at * 12} h352`, '#ffffff', 0.8, 0.7)),
    rect(44, 124, 352, 6, '#ffffff'),
    group(
      'translate(132 262)',
      line('M0 -40 L-14 -16 L-20 6 M2 -40 L18 -20 L16 6', '#e2b391', 9),
      rect(-14, -84, 28, 46, '#d9694f', 9),
      rect(-13, -48, 27, 14, '#39435a', 4),
      line('M10 -78 L28 -104', '#e2b391', 8),
      line('M-10 -76 L-28 -60', '#e2b391', 8),
      circle(0, -98, 13, '#e2b391'),
      shape('M-13 -98 a13 13 0 0 1 26 -2 q-12 -4 -26 2 z', '#2f2a30'),
      line('M28 -104 L44 -126', '#6d5444', 3),
      group(
        'translate(54 -142) rotate(30)',
        `<ellipse rx="13" ry="18" fill="#ffffff" fill-opacity=".45" stroke="#c2503f" stroke-width="3"/>`,
      ),
    ),
    group(
      'translate(316 196) scale(-.72 .72)',
      line('M0 -40 L-14 -16 L-20 6 M2 -40 L18 -20 L16 6', '#d9aa86', 9),
      rect(-14, -84, 28, 46, '#2f6db0', 9),
      rect(-13, -48, 27, 14, '#39435a', 4),
      line('M10 -78 L30 -88', '#d9aa86', 8),
      line('M-10 -76 L-26 -60', '#d9aa86', 8),
      circle(0, -98, 13, '#d9aa86'),
      shape('M-13 -98 a13 13 0 0 1 26 -2 q-12 -4 -26 2 z', '#2f2a30'),
      line('M30 -88 L48 -102', '#6d5444', 3),
      group(
        'translate(62 -114) rotate(46)',
        `<ellipse rx="13" ry="18" fill="#ffffff" fill-opacity=".45" stroke="#e9b13f" stroke-width="3"/>`,
      ),
    ),
    group(
      'translate(236 84) rotate(118)',
      shape('M-4 0 L-10 -22 H10 L4 0 Z', '#ffffff'),
      circle(0, 2, 5, '#c2503f'),
    ),
    line('M196 104 q18 -16 32 -18', '#ffffff', 2, 0.8),
  )

const volunteers = () =>
  picture(
    ['#fbe9d2', '#f4dcc0'],
    circle(220, 120, 96, '#f8cfa0', 0.6),
    circle(220, 120, 70, '#f5b988', 0.5),
    shape(
      'M220 170 C150 124 168 74 200 80 q16 2 20 20 q4 -18 20 -20 C272 74 290 124 220 170 Z',
      '#d3564b',
    ),
    cloud(70, 60, 0.8, '#fff', 0.7),
    cloud(378, 50, 0.9, '#fff', 0.7),
    ground(240, '#b9cf9a'),
    [
      [64, '#3f7fb0', 92],
      [130, '#e9a84c', 84],
      [220, '#d3564b', 98],
      [308, '#5f9f74', 88],
      [376, '#7c5f96', 94],
    ].map(([x, color, h], at) => [
      person(
        x as number,
        276,
        h as number,
        color as string,
        ['#e9c3a3', '#d9aa86', '#f0cfb2'][at % 3],
        ['#2b2325', '#5a3f2f', '#9a948f'][at % 3],
      ),
    ]),
    line('M76 212 L118 220 M142 220 L206 212 M234 212 L296 218 M320 218 L364 212', '#e2b391', 7),
    repeat(5, (at) => rect([58, 124, 213, 302, 370][at] as number, 216, 13, 9, '#ffffff', 2)),
    tree(20, 246, 60, '#7fae72', '#a5cb8f'),
    tree(424, 246, 66, '#7fae72', '#a5cb8f'),
  )

const jobFair = () =>
  picture(
    ['#eaf0f6', '#d6e1ec'],
    shape('M0 0 H440 V30 L220 62 L0 30 Z', '#c5d4e2'),
    repeat(9, (at) => line(`M${at * 55} 0 L${110 + at * 27} 58`, '#b1c3d4', 2)),
    ground(224, '#c9bfae'),
    rect(0, 220, width, 5, '#b3a892'),
    [
      [20, '#3f7fb0'],
      [126, '#d9694f'],
      [232, '#5f9f74'],
      [338, '#e9a84c'],
    ].map(([x, color]) => [
      rect(Number(x), 82, 84, 86, '#ffffff', 2),
      rect(Number(x), 82, 84, 20, color as string, 2),
      rect(Number(x) + 10, 112, 28, 22, '#dfe7ee', 2),
      line(
        `M${Number(x) + 46} 116 h28 M${Number(x) + 46} 126 h20 M${Number(x) + 10} 146 h62`,
        '#c3ced9',
        3,
      ),
      rect(Number(x) - 2, 176, 88, 8, '#8a6a4e', 2),
      rect(Number(x), 184, 84, 38, color as string, 0, 0.85),
      person(Number(x) + 42, 200, 62, '#3d4a5f'),
      rect(Number(x), 184, 84, 38, color as string),
      rect(Number(x) - 2, 176, 88, 9, '#a9805c', 2),
    ]),
    [
      [46, 272, 80, '#7c5f96'],
      [98, 266, 74, '#e07a4f'],
      [170, 276, 84, '#2f5f8a'],
      [212, 268, 76, '#c2503f'],
      [286, 274, 82, '#4f8f86'],
      [336, 266, 74, '#b98a3c'],
      [398, 276, 84, '#55607a'],
    ].map(([x, y, h, color], at) => [
      person(
        x as number,
        y as number,
        h as number,
        color as string,
        '#e9c3a3',
        ['#2b2325', '#5a3f2f', '#34303b'][at % 3],
      ),
      at % 2 ? rect((x as number) + 8, (y as number) - 46, 13, 17, '#ffffff', 1) : '',
    ]),
  )

const stage = () =>
  picture(
    ['#1d1a30', '#2f2747'],
    shape('M220 0 L96 262 H344 Z', '#fbe3b0', 0.14),
    shape('M220 0 L140 262 H300 Z', '#fbe3b0', 0.16),
    shape('M0 0 H92 q-8 120 -34 240 H0 Z', '#9c2f3a'),
    shape('M440 0 H348 q8 120 34 240 H440 Z', '#9c2f3a'),
    repeat(4, (at) => [
      shape(
        `M${10 + at * 22} 0 q-2 120 -${8 + at * 4} 240 h8 q8 -120 ${10 + at * 3} -240 z`,
        '#7d2430',
      ),
      shape(
        `M${430 - at * 22} 0 q2 120 ${8 + at * 4} 240 h-8 q-8 -120 -${10 + at * 3} -240 z`,
        '#7d2430',
      ),
    ]),
    shape('M0 0 H440 V22 Q385 44 330 24 Q275 46 220 24 Q165 46 110 24 Q55 44 0 22 Z', '#b53a45'),
    ground(236, '#6d4733'),
    ellipse(220, 252, 128, 16, '#c99a6b', 0.6),
    // the ferry on the stage, under a paper moon
    circle(300, 76, 24, '#f7e3b4'),
    repeat(3, (at) =>
      line(
        `M${112 + at * 8} ${216 + at * 9} q14 -8 28 0 t28 0 t28 0 t28 0 t28 0 t28 0 t28 0`,
        ['#5f8fb0', '#4a7898', '#3a6482'][at] as string,
        5,
        0.9,
      ),
    ),
    shape('M130 198 q90 34 180 0 q-10 34 -50 36 h-80 q-40 -2 -50 -36 z', '#8a5a3b'),
    shape('M130 198 q90 34 180 0 l-4 -4 q-86 28 -172 0 z', '#a9744f'),
    person(186, 208, 66, '#4f6b7d', '#e0b08a', '#d9d2c8'),
    person(252, 208, 60, '#c2503f'),
    line('M176 166 L150 238', '#c9a877', 4),
    repeat(9, (at) => circle(24 + at * 49, 290, 17, '#120f20')),
  )

/** Drawings by picture key. */
export const pictures: Record<string, () => string> = {
  'gate-dusk': gateAtDusk,
  library,
  lake,
  'lecture-hall': lectureHall,
  lecture,
  lab,
  'sports-field': sportsField,
  snow,
  sunrise,
  books,
  graduation,
  choir,
  robot,
  bridge,
  canteen,
  train,
  seminar,
  telescope,
  herbarium,
  kiln,
  rowing,
  'campus-road': campusRoad,
  'globe-class': globeClass,
  clinic,
  hills: hillPath,
  'server-room': serverRoom,
  badminton,
  volunteers,
  'job-fair': jobFair,
  stage,
}

/** The crest: mist between two mountains above a river, drawn as paths so that it needs no font. */
export const logo =
  () => `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 256 256">
<circle cx="128" cy="128" r="126" fill="#004EA1"/>
<circle cx="128" cy="128" r="112" fill="none" stroke="#ffffff" stroke-width="5"/>
<clipPath id="field"><circle cx="128" cy="128" r="102"/></clipPath>
<g clip-path="url(#field)">
<circle cx="128" cy="84" r="20" fill="#F3B15F"/>
<path d="M20 176 L92 72 L128 124 L150 96 L236 176 Z" fill="#ffffff"/>
<path d="M92 72 L108 95 L98 104 L90 98 L80 106 L74 98 Z" fill="#8FB9E3"/>
<path d="M150 96 L166 111 L158 116 L150 111 L141 116 L138 111 Z" fill="#8FB9E3"/>
<path d="M0 150 Q50 130 86 146 T158 144 T256 138 V160 Q208 166 176 158 T104 162 T0 166 Z" fill="#004EA1"/>
<path d="M0 178 Q58 158 98 172 T178 170 T256 166 V256 H0 Z" fill="#1768BD"/>
<path d="M40 192 Q70 180 98 190 T158 188 T220 186 M58 210 Q86 200 112 208 T170 206 T204 204 M84 226 Q106 218 128 224 T172 222" fill="none" stroke="#ffffff" stroke-width="6" stroke-linecap="round"/>
</g>
</svg>`
