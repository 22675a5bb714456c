import { sql } from 'kysely'
import type { Db } from '../src/platform/database/db.ts'
import { usernameOf } from './fill-members.ts'
import { type DemoMember, generatedMembers, namedMembers } from './members.ts'
import { organization } from './organizations.ts'
import { type Ids, insert } from './rows.ts'

type Post = [title: string, titleEn: string]

/** Job titles by identity type: in each office the first person gets the first one, the others share the rest. */
const posts: Record<string, Post[]> = {
  T01: [
    ['教授、系主任', 'Professor, head of department'],
    ['教授', 'Professor'],
    ['副教授', 'Associate professor'],
    ['讲师', 'Lecturer'],
    ['实验师', 'Laboratory engineer'],
  ],
  T02: [
    ['学工办主任、辅导员', 'Head of student affairs, counsellor'],
    ['辅导员', 'Counsellor'],
  ],
  E01: [
    ['处长', 'Director'],
    ['副处长', 'Deputy director'],
    ['科长', 'Section head'],
    ['科员', 'Officer'],
    ['办公室秘书', 'Office secretary'],
  ],
}

const ofNamed: Record<string, Post & unknown[]> = {
  teacher: ['副教授', 'Associate professor'],
  staff: ['教学运行科科员', 'Officer, teaching operations'],
  admin: ['综合办公室主任', 'Head of the general office'],
}

const buildings: [zh: string, en: string][] = [
  ['行政楼', 'Administration Building'],
  ['逸夫楼', 'Yifu Building'],
  ['信息楼', 'Information Building'],
  ['理科楼', 'Science Building'],
]

/** Members' job titles and offices, and the student's favourite contacts. */
export async function fillPosts(db: Db, accountIds: Ids) {
  const taken = new Map<string, number>()
  const rows = [...namedMembers, ...generatedMembers].flatMap((member, at) => {
    const place = `${member.organizationCode} ${member.identityCode}`
    const turn = taken.get(place) ?? 0
    const post = ofNamed[member.username] ?? postOf(member, turn)
    if (!post) return []
    if (!ofNamed[member.username]) taken.set(place, turn + 1)
    const [building, buildingEn] = buildings[at % buildings.length] as (typeof buildings)[number]
    const room = 100 * (1 + (at % 6)) + 1 + (at % 23)
    return [
      {
        account_id: accountIds.get(usernameOf(member)),
        title: post[0],
        title_en: post[1],
        office_phone: `0579-8628${String(1000 + ((at * 37) % 9000))}`,
        office: `${building} ${room}`,
        office_en: `${buildingEn} ${room}`,
        position: turn === 0 && !ofNamed[member.username] ? 10 : 100 + turn,
      },
    ]
  })
  await insert(db, 'address_book_post', rows)
  const kept = generatedMembers.filter(({ identityCode }) => identityCode === 'T02').slice(0, 2)
  await insert(
    db,
    'address_book_favourite',
    ['teacher', ...kept.map(usernameOf)].map((username) => ({
      account_id: accountIds.get('student'),
      favourite_account_id: accountIds.get(username),
      created_at: new Date(),
    })),
  )
  await insert(db, 'address_book_group', [
    { account_id: accountIds.get('student'), name: '毕业设计小组' },
  ])
  await sql`
    insert into address_book_group_member (group_id, member_account_id)
    select g.id, account.id from address_book_group g, account
    where account.username = any(${['teacher', ...kept.map(usernameOf)]})`.execute(db)
}

function postOf({ identityCode, organizationCode }: DemoMember, turn: number): Post | undefined {
  const own = posts[identityCode]
  if (!own) return undefined
  const [first, ...others] = own
  // Schools have deans, who are not in the demo.
  if (turn === 0 && (identityCode !== 'E01' || organization(organizationCode).kind === 'office'))
    return first
  return others[turn % others.length] ?? first
}
