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
    week: T.Integer({ description: 'current week, from 1; 0: before or after the term' }),
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
    locationEn: T.String(),
  },
  { $id: 'StudyLesson' },
)
export type StudyLesson = Static<typeof Lesson>

const Mark = T.Object(
  {
    score: Nullable(T.Number()),
    points: Nullable(T.Number({ description: 'maximum score' })),
    grade: T.String({ description: 'grade in words or letters, or empty' }),
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
    open: T.Integer({ description: 'assignments the caller has not submitted' }),
    progress: Nullable(
      T.Integer({
        description:
          'percentage of materials opened and assignments submitted; null: the course has neither',
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
    url: T.String({ description: 'address for submission; empty: submit it here, as a task' }),
    taskId: Nullable(Id),
    handedAt: Nullable(Time),
    sentBack: Nullable(
      T.String({
        description:
          "the teacher's note on returned work, which must be submitted again; null: not returned",
      }),
    ),
    mark: Nullable(Mark),
    handed: T.Integer({ description: 'number of submissions; 0 for students' }),
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
    url: T.String({ description: 'file: address valid for ten minutes; tool: empty' }),
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
    announcements: T.Array(Announcement, { description: 'the last 20' }),
    sources: T.Array(CourseSource),
    attendance: T.Object({
      openId: Nullable(T.String({ description: 'id of the open attendance roll, or null' })),
      entered: T.Boolean({ description: 'the caller has responded to the open roll' }),
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
    summary: 'Get the term, the next lesson, upcoming assignments and recent marks',
    access: 'member',
    reply: T.Object(
      {
        term: Nullable(Term),
        terms: T.Array(Term, {
          description: 'terms in which the caller has courses, newest first',
        }),
        next: Nullable(Lesson),
        due: T.Array(Assignment, { description: 'not submitted; the first ten by due date' }),
        marks: T.Array(Assignment, { description: 'the last five' }),
        credits: T.Object({
          enrolled: T.Number({ description: 'credits of the courses of this term' }),
          earned: T.Number({ description: 'credits of all courses passed' }),
        }),
        stale: T.Array(CourseSource, { description: 'sources that could not be read recently' }),
      },
      { $id: 'StudyOverview' },
    ),
  }),
  courses: get('/portal-api/v1/study/courses', {
    summary: 'List the courses of a term that the caller attends or teaches',
    access: 'member',
    query: T.Object({
      term: T.Optional(
        T.String({ maxLength: 64, description: 'code of the term; default: the current one' }),
      ),
    }),
    reply: T.Array(Course),
  }),
  read: get('/portal-api/v1/study/courses/{id}', {
    summary: 'Get a course: plan, lessons, materials, assignments, announcements',
    access: 'member',
    params,
    reply: CourseDetail,
    errors: ['study.course_not_found'],
  }),
  people: get('/portal-api/v1/study/courses/{id}/people', {
    summary: 'List the teachers and students of a course, with the details they show to the caller',
    access: 'member',
    params,
    query: T.Object(cursorQuery),
    reply: CursorPage(CoursePerson),
    errors: ['study.course_not_found'],
  }),
  see: post('/portal-api/v1/study/materials/{id}/seen', {
    summary: 'Record that the caller opened a material; counts as progress',
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['study.material_not_found'],
  }),
  attend: post('/portal-api/v1/study/courses/{id}/attend', {
    summary: 'Respond to an attendance roll with the code shown by the teacher',
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
