import { figures } from '@atrium/rules/figures'
import { isMobile } from '@atrium/rules/validators'
import { useState } from 'react'
import { inLanguage } from '#lib/language.ts'
import { Card } from '#ui/card.tsx'
import { toast } from '../src/ui/feedback/toast.tsx'
import { CodeButton } from '../src/ui/form/code-button.tsx'
import { CodeField } from '../src/ui/form/code-field.tsx'
import { DateField } from '../src/ui/form/date-field.tsx'
import { Field } from '../src/ui/form/field.tsx'
import { NewPasswordField } from '../src/ui/form/new-password-field.tsx'
import { PasswordField } from '../src/ui/form/password-field.tsx'
import { SearchField } from '../src/ui/form/search-field.tsx'
import { TextArea } from '../src/ui/form/text-area.tsx'
import { Uploader } from '../src/ui/form/uploader.tsx'
import { type Send, useUploads } from '../src/ui/form/uploads.ts'

/** Simulates a slow server that refuses files with "fail" in their name. */
const send: Send<string> = async (file, { signal, onProgress }) => {
  for (let share = 0; share < 1; share += 0.1) {
    await new Promise((done) => setTimeout(done, 100))
    if (signal.aborted) throw new Error('stopped')
    onProgress(share)
  }
  if (file.name.includes('fail')) throw new Error('refused')
  return file.name
}

/** Components for input. */
export function Forms() {
  const [words, setWords] = useState('')
  const [mobile, setMobile] = useState('1380013')
  const [password, setPassword] = useState('')
  const [fresh, setFresh] = useState('12345678')
  const [date, setDate] = useState('')
  const [text, setText] = useState('')
  const [code, setCode] = useState('')
  const files = useUploads(send)
  const album = useUploads(send, figures.albumMaxCount)
  return (
    <>
      <Card title={inLanguage('文字', 'Text')}>
        <div className="stack">
          <SearchField label={inLanguage('搜索服务', 'Search')} value={words} onValue={setWords} />
          <Field
            label={inLanguage('手机号', 'Mobile number')}
            type="tel"
            value={mobile}
            onValue={setMobile}
            error={
              isMobile(mobile)
                ? ''
                : inLanguage('请输入 11 位手机号', 'A mobile number has 11 digits')
            }
          />
          <PasswordField
            label={inLanguage('登录密码', 'Password')}
            name="password"
            autoComplete="current-password"
            value={password}
            onValue={setPassword}
          />
          <NewPasswordField value={fresh} onValue={setFresh} owner={{ usernames: ['student'] }} />
          <DateField label={inLanguage('日期', 'Date')} value={date} onValue={setDate} />
          <TextArea label={inLanguage('意见', 'Your feedback')} value={text} onValue={setText} />
          <CodeField
            value={code}
            onValue={setCode}
            onComplete={toast}
            error={code === '000000' ? inLanguage('验证码不正确', 'Wrong code') : ''}
          />
          <div>
            <CodeButton onSend={async () => undefined} />
          </div>
        </div>
      </Card>
      <Card title={inLanguage('上传', 'Uploads')}>
        <div className="stack">
          <Uploader label={inLanguage('附件', 'Files')} {...files} />
          <Uploader label={inLanguage('照片', 'Photos')} album {...album} />
        </div>
      </Card>
    </>
  )
}
