import { usernameMax } from '@atrium/contract/define'
import { choiceCell, codeCell, listCell, shortenCell, textCell } from '#platform/ingest/cells.ts'
import type { Field } from '#platform/ingest/import.ts'
import { RowIssue } from '#platform/ingest/row-issue.ts'

const required = <T>(headers: Field<T>['headers'], read: (cell: string) => T) => ({
  headers,
  required: true as const,
  read,
})
const optional = <T>(headers: Field<T>['headers'], read: (cell: string) => T) => ({ headers, read })

/** Columns of a member file; docs/operate.md prints them. */
export const memberFields = {
  username: required(
    ['username', '学号', '工号', '学工号', '账号', '用户名', '学号/工号'],
    (cell) => {
      const name = cell.toLowerCase()
      // Only letters that we and every database lowercase alike, plus the characters allowed by Entra ID.
      const isUsername = /^[a-z0-9\p{Script=Han}][a-z0-9\p{Script=Han}.'_@#!^~+-]*$/u.test(name)
      if (!isUsername || name.length > usernameMax) {
        throw new RowIssue(
          `is “${shortenCell(cell)}”; a username begins with a letter or digit, and has these and . - _ @ ' # ! ^ ~ + only, at most ${usernameMax}`,
        )
      }
      return name
    },
  ),
  name: required(['name', '姓名'], textCell(100)),
  nameEn: optional(['nameEn', 'english name', '英文名', '英文姓名'], textCell(100)),
  identity: required(
    ['identityType', 'identity', '身份代码', '身份', '身份类型', '人员类别'],
    codeCell,
  ),
  organization: required(
    [
      'organizationCode',
      'organisationCode',
      'organization',
      'organisation',
      '部门代码',
      '单位代码',
      '院系代码',
      '机构代码',
    ],
    codeCell,
  ),
  mobile: optional(['mobile', 'phone', '手机号', '手机', '手机号码', '联系电话'], (cell) => {
    const number = cell.replaceAll(/[\s-]/g, '')
    if (number !== '' && !/^\+?\d{5,20}$/.test(number))
      throw new RowIssue(`is “${shortenCell(cell)}” and must be a telephone number`)
    return number
  }),
  email: optional(['email', 'mail', '邮箱', '电子邮箱', '电子邮件'], (cell) => {
    if (cell !== '' && !/^[^\s@]{1,64}@[^\s@]{1,190}$/.test(cell))
      throw new RowIssue(`is “${shortenCell(cell)}” and must be an email address`)
    return cell
  }),
  groups: optional(['groups', '群组', '班级代码', '用户组'], (cell) =>
    listCell(cell).map(codeCell),
  ),
  status: optional(['status', '状态'], (cell) =>
    cell === ''
      ? null
      : choiceCell({
          inactive: ['未激活', '待激活'],
          active: ['正常', '启用', '在职', '在读', '在校'],
          disabled: ['停用', '禁用', '离校', '离职', '毕业'],
        })(cell),
  ),
  personKey: optional(['personKey', '人员编号', '人员标识'], textCell(100)),
}

/** Set if the rows are directory entries, matched by their key instead of the username. */
export type DirectorySource = {
  id: string
  /** which existing accounts with the same username it may take over; operators only with `everybody` */
  takeOver: 'nobody' | 'members' | 'everybody'
  /** it verifies their passwords, so no activation is needed */
  passwords: boolean
}
export const entryFields = {
  ...memberFields,
  entryKey: required(['entryKey'], textCell(200)),
  dn: required(['dn'], textCell(2000)),
}
