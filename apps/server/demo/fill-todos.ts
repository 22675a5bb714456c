import { sql } from 'kysely'
import type { Db } from '../src/platform/database/db.ts'
import { addDays, at, dayOf } from './dates.ts'
import type { Ids } from './rows.ts'

type DemoTodo = {
  owner: string
  title: string
  note?: string
  /** days from today, and a time */
  due?: [number, string]
  repeat?: string
  tags?: string[]
  steps?: [string, boolean][]
  executors?: string[]
  finished?: boolean
}

const todos: DemoTodo[] = [
  {
    owner: 'student',
    title: '提交数据结构实验报告',
    note: '格式见课程群公告，文件名写学号和姓名。',
    due: [1, '18:00'],
    tags: ['课程'],
    steps: [
      ['整理实验数据', true],
      ['写结论', false],
      ['导出 PDF', false],
    ],
  },
  { owner: 'student', title: '还图书馆的书', due: [-1, '20:00'], tags: ['图书馆'] },
  { owner: 'student', title: '晨跑打卡', due: [0, '23:59'], repeat: 'weekdays' },
  { owner: 'student', title: '预约体检', note: '体检中心周三、周五开放。' },
  {
    owner: 'admin',
    title: '核对实验室门禁名单',
    due: [5, '12:00'],
    tags: ['实验室'],
    executors: ['student'],
  },
  { owner: 'student', title: '缴纳住宿费', due: [-3, '17:00'], finished: true },
  { owner: 'teacher', title: '批改期中试卷', due: [3, '18:00'], tags: ['课程'] },
  { owner: 'staff', title: '更新值班表', due: [2, '17:30'] },
]

/** To-dos that the demo's members set for themselves and each other. */
export async function fillTodos(db: Db, today: Date, accountIds: Ids) {
  for (const [index, todo] of todos.entries()) {
    const { owner, due, steps = [], executors = [], finished = false } = todo
    const dueAt = due && at(addDays(dayOf(today), due[0]), due[1]).toISOString()
    const finishedAt = finished ? sql<string>`now() - interval '1 day'` : null
    const { id } = await db
      .insertInto('todo')
      .values({
        account_id: accountIds.get(owner) ?? '0',
        key: `demo-todo-${index}`,
        title: todo.title,
        note: todo.note ?? '',
        due_at: dueAt ?? null,
        all_day: due?.[1] === '23:59',
        time_zone: 'Asia/Shanghai',
        repeat: todo.repeat ?? 'none',
        repeat_day: dueAt ? 1 : null,
        tags: todo.tags ?? [],
        steps: JSON.stringify(steps.map(([text, done]) => ({ text, done }))),
        finished_at: finishedAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('todo_member')
      .values(
        [owner, ...executors].map((username) => ({
          todo_id: id,
          account_id: accountIds.get(username) ?? '0',
          owner: username === owner,
          may_finish: username === owner,
          position: index + 1,
          finished_at: finishedAt,
        })),
      )
      .execute()
  }
}
