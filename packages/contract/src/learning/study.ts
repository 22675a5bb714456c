import {
  CursorPage,
  cursorQuery,
  get,
  Id,
  Nullable,
  OneOf,
  post,
  type Static,
  T,
  Time,
} from '../define.ts'
import { calendarColors } from '../work/schedule.ts'

export const courseRoles = ['attends', 'teaches'] as const
/** work: submitted by students. mark: only marked, such as an examination. total: the overall mark of the course. */
export const assignmentKinds = ['work', 'mark', 'total'] as const
export const attendanceStates = ['present', 'late', 'absent', 'excused'] as const
/** Number of digits of the roll code. */
export const codeLength = 6

const Term = T.Object(
  {
    code: T.String(),
    name: T.String(),
    nameEn: T.String(),
    startsOn: T.String({ description: 'YYYY-MM-DD' }),
    weeks: T.Integer(),
    week: T.Integer({ description: 'of today, from 1; 0: it has not begun or is over' }),
  },
  { $id: 'StudyTerm' },
)
export type StudyTerm = Static<typeof Term>

const Lesson = T.Object(
  {
    courseId: Id,
    eventId: Id,
    title: T.String(),
    titleEn: T.String(),
    startsAt: Time,
    endsAt: Time,
    location: T.String(),
  },
  { $id: 'StudyLesson' },
)
export type StudyLesson = Static<typeof Lesson>

const Mark = T.Object(
  {
    score: Nullable(T.Number()),
    points: Nullable(T.Number({ description: 'the most one can get' })),
    grade: T.String({ description: 'in words or letters, or empty' }),
    feedback: T.String(),
    at: Time,
  },
  { $id: 'StudyMark' },
)

/** A course as a line in a list. */
export const Course = T.Object(
  {
    id: Id,
    code: T.String(),
    name: T.String(),
    nameEn: T.String(),
    color: OneOf(calendarColors),
    role: OneOf(courseRoles, {}),
    teachers: T.Array(T.Object({ name: T.String(), nameEn: T.String() }), {
      description: 'the first five',
    }),
    credits: Nullable(T.Number()),
    next: Nullable(Lesson),
    students: T.Integer(),
    open: T.Integer({ description: 'assignments that the caller has not handed in' }),
    progress: Nullable(
      T.Integer({
        description: 'per cent of materials opened and work handed in; null: neither is there',
      }),
    ),
    total: Nullable(Mark),
  },
  { $id: 'StudyCourse' },
)
export type Course = Static<typeof Course>

const Assignment = T.Object(
  {
    id: Id,
    courseId: Id,
    courseName: T.String(),
    courseNameEn: T.String(),
    kind: OneOf(assignmentKinds),
    title: T.String(),
    titleEn: T.String(),
    text: T.String(),
    dueAt: Nullable(Time),
    points: Nullable(T.Number()),
    url: T.String({ description: 'where it is handed in; empty: here, as the task' }),
    taskId: Nullable(Id),
    handedAt: Nullable(Time),
    sentBack: Nullable(
      T.String({
        description: 'what its teacher said when sending it back; to be handed in again',
      }),
    ),
    mark: Nullable(Mark),
    handed: T.Integer({ description: 'how many have handed it in; 0 for those who attend' }),
  },
  { $id: 'StudyAssignment' },
)
export type Assignment = Static<typeof Assignment>

const Material = T.Object(
  {
    id: Id,
    unitId: Nullable(Id),
    kind: OneOf(['file', 'link', 'tool'], {}),
    title: T.String(),
    titleEn: T.String(),
    url: T.String({ description: 'a file’s for ten minutes; of a tool empty' }),
    fileId: Nullable(Id),
    mediaType: T.String(),
    byteSize: T.Integer(),
    seen: T.Boolean(),
  },
  { $id: 'StudyMaterial' },
)
export type Material = Static<typeof Material>

const Announcement = T.Object(
  {
    id: Id,
    title: T.String(),
    text: T.String(),
    author: T.String(),
    authorEn: T.String(),
    createdAt: Time,
  },
  { $id: 'StudyAnnouncement' },
)

/** The source of a course’s content, and when it was last read. */
export const CourseSource = T.Object(
  { name: T.String(), nameEn: T.String(), readAt: Nullable(Time), stale: T.Boolean() },
  { $id: 'StudyCourseSource' },
)
export type CourseSource = Static<typeof CourseSource>

const AttendanceCounts = T.Object(
  { present: T.Integer(), late: T.Integer(), absent: T.Integer(), excused: T.Integer() },
  { $id: 'StudyAttendanceCounts' },
)

export const CourseDetail = T.Interface(
  [Course],
  {
    term: Term,
    about: T.String(),
    aboutEn: T.String(),
    plan: T.Array(
      T.Object({
        id: Id,
        week: Nullable(T.Integer()),
        title: T.String(),
        titleEn: T.String(),
        text: T.String(),
      }),
    ),
    lessons: T.Array(Lesson, { description: 'the next five' }),
    materials: T.Array(Material),
    assignments: T.Array(Assignment),
    announcements: T.Array(Announcement, { description: 'the last twenty' }),
    sources: T.Array(CourseSource),
    attendance: T.Object({
      openId: Nullable(T.String({ description: 'the roll is being called' })),
      entered: T.Boolean({ description: 'the caller is on it' }),
      own: AttendanceCounts,
    }),
  },
  { $id: 'StudyCourseDetail' },
)
export type CourseDetail = Static<typeof CourseDetail>

export const CoursePerson = T.Object(
  {
    id: Id,
    role: OneOf(courseRoles, {}),
    name: T.String(),
    nameEn: T.String(),
    organization: T.String(),
    organizationEn: T.String(),
    portraitUrl: T.String({ description: 'empty: none, or not shown to the caller' }),
    mobile: T.String({ description: 'empty: not shown to the caller' }),
    email: T.String({ description: 'empty: not shown to the caller' }),
  },
  { $id: 'StudyCoursePerson' },
)
export type CoursePerson = Static<typeof CoursePerson>

const params = T.Object({ id: Id })

/** The study centre: courses the caller attends or teaches. */
export const study = {
  overview: get('/portal-api/v1/study/overview', {
    summary: 'The term, the next lesson, what is due and what was marked lately',
    access: 'member',
    reply: T.Object(
      {
        term: Nullable(Term),
        terms: T.Array(Term, { description: 'those the caller has courses in, the newest first' }),
        next: Nullable(Lesson),
        due: T.Array(Assignment, { description: 'not handed in, the first ten by date' }),
        marks: T.Array(Assignment, { description: 'the last five' }),
        credits: T.Object({
          enrolled: T.Number({ description: 'of the courses of this term' }),
          earned: T.Number({ description: 'of all courses that were passed' }),
        }),
        stale: T.Array(CourseSource, { description: 'sources that could not be read lately' }),
      },
      { $id: 'StudyOverview' },
    ),
  }),
  courses: get('/portal-api/v1/study/courses', {
    summary: 'The courses of a term that the caller attends or teaches',
    access: 'member',
    query: T.Object({
      term: T.Optional(
        T.String({ maxLength: 64, description: 'its code; without it the one that is on' }),
      ),
    }),
    reply: T.Array(Course),
  }),
  read: get('/portal-api/v1/study/courses/{id}', {
    summary: 'One course: plan, lessons, materials, assignments, announcements',
    access: 'member',
    params,
    reply: CourseDetail,
    errors: ['study.course_not_found'],
  }),
  people: get('/portal-api/v1/study/courses/{id}/people', {
    summary: 'Who teaches and who attends, as they show themselves to the caller',
    access: 'member',
    params,
    query: T.Object(cursorQuery),
    reply: CursorPage(CoursePerson),
    errors: ['study.course_not_found'],
  }),
  see: post('/portal-api/v1/study/materials/{id}/seen', {
    summary: 'The caller has opened a material; it counts as progress',
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['study.material_not_found'],
  }),
  attend: post('/portal-api/v1/study/courses/{id}/attend', {
    summary: 'Answers the roll with the code that the teacher shows',
    access: 'member',
    params,
    body: T.Object({ code: T.String({ minLength: 1, maxLength: 20 }) }),
    reply: T.Object({ state: OneOf(['present', 'late']) }),
    errors: [
      'study.course_not_found',
      'study.roll_over',
      'study.code_wrong',
      'study.code_late',
      'study.already_present',
      'study.device_used',
      'request.too_many',
    ],
  }),
}
