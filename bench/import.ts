import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Settings } from './main.ts'
import { count, fixed, machine, median, report } from './report.ts'

const root = path.dirname(import.meta.dirname)
const rows = 50_000

/** Times `atrium import members` from start to exit of the command, including the embedded database. */
export async function benchImport(settings: Settings) {
  const durations: Record<string, number[]> = {}
  let bytes = 0
  for (let round = 0; round < settings.rounds; round++) {
    console.log(`round ${round + 1} of ${settings.rounds}`)
    const folder = mkdtempSync(path.join(os.tmpdir(), 'atrium-bench-'))
    chmodSync(folder, 0o711)
    const file = (name: string, lines: string[]) => {
      writeFileSync(path.join(folder, name), `${lines.join('\n')}\n`)
      return path.join(folder, name)
    }
    const runTimed = (what: string, args: string[]) => {
      const seconds = atrium(folder, args)
      durations[what] = [...(durations[what] ?? []), seconds]
    }
    try {
      // The first command creates the database and is not measured.
      atrium(folder, ['import', 'identities', file('identities.csv', identities)])
      atrium(folder, ['import', 'organisations', file('organisations.csv', organisations)])
      const members = file(
        'members.csv',
        memberLines(() => ''),
      )
      bytes = readFileSync(members).length
      const newer = file(
        'newer.csv',
        memberLines((index) => (index % 10 === 0 ? '（更名）' : '')),
      )
      runTimed('dry run', ['import', 'members', members, '--dry-run'])
      runTimed('first import, all new', ['import', 'members', members])
      runTimed('the same file again', ['import', 'members', members])
      runTimed('a newer file, every tenth member changed', ['import', 'members', newer])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  const first = median(durations['first import, all new'] ?? [])
  const tables = [
    {
      title: `Import of ${count(rows)} members, a CSV file of ${fixed(bytes / 1e6, 1)} MB`,
      head: ['', 'seconds', 'members/s'],
      rows: Object.entries(durations).map(([what, seconds]) => [
        what,
        fixed(median(seconds), 1),
        count(rows / median(seconds)),
      ]),
    },
  ]
  const targets = [
    {
      what: `${count(rows)} members, first import`,
      wanted: '< 30 s',
      measured: `${fixed(first, 1)} s`,
      ok: first < 30,
    },
  ]
  const { rounds, save } = settings
  report('import', { machine: machine(), tables, targets }, { rounds, save }, durations)
}

function atrium(folder: string, args: string[]): number {
  const started = performance.now()
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['apps/server/src/cli.ts', ...args],
    {
      cwd: root,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/node'),
        ATRIUM_DATA_DIR: path.join(folder, 'data'),
      },
    },
  )
  if (status !== 0 || !stdout.includes(' 0 left out'))
    throw new Error(`atrium ${args.join(' ')} failed:\n${stdout}${stderr}`)
  return (performance.now() - started) / 1000
}

const identities = [
  'code,name,nameEn,label',
  'S01,本科生,Undergraduate,student',
  'T01,教师,Teacher,teacher',
]
const organisations = [
  'code,name,nameEn,parentCode',
  'U,江岚大学,Jianglan University,',
  ...Array.from({ length: 200 }, (_, index) => `D${index},第${index}教研室,Department ${index},U`),
]
const surnames = [...'王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗']
const given = [...'明华建文军平志伟东海燕玲静秀英丽']

function memberLines(suffix: (index: number) => string): string[] {
  const name = (index: number) =>
    `${surnames[index % surnames.length]}${given[index % given.length]}${given[Math.floor(index / 7) % given.length]}${suffix(index)}`
  return [
    '学号,姓名,英文名,身份代码,部门代码,手机号,邮箱,状态',
    ...Array.from({ length: rows }, (_, index) =>
      [
        `2026${String(index).padStart(6, '0')}`,
        name(index),
        `Member ${index}`,
        index % 10 === 0 ? 'T01' : 'S01',
        `D${index % 200}`,
        `139${String(index).padStart(8, '0')}`,
        `m${index}@example.edu`,
        '正常',
      ].join(','),
    ),
  ]
}
