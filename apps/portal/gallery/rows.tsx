import { type ReactNode, useState } from 'react'
import { inLanguage } from '#lib/language.ts'
import { Card } from '#ui/card.tsx'
import { FactList } from '#ui/fact-list.tsx'
import { Facts } from '#ui/facts.tsx'
import { RowContent, RowList } from '#ui/list-row.tsx'
import type { IconName } from '#ui/media/icon.tsx'
import { OrderList } from '#ui/order-list.tsx'
import { Failed } from '../src/ui/feedback/failed.tsx'
import { StaleNote } from '../src/ui/feedback/stale-note.tsx'
import { toast } from '../src/ui/feedback/toast.tsx'
import { SearchForm } from '../src/ui/form/search-form.tsx'
import { Avatar } from '../src/ui/media/avatar.tsx'
import { QrCode } from '../src/ui/media/qr-code.tsx'

/** Lists and what is in their place, people and codes. */
export function Rows() {
  const name = inLanguage('周明远', 'Zhou Mingyuan')
  const retry = () => toast(inLanguage('再试一次', 'Trying again'))
  return (
    <>
      <SearchForm
        label={inLanguage('搜索部门', 'Search departments')}
        keyWords=""
        onSearch={toast}
        focus={false}
      />
      <RowList label={inLanguage('设置', 'Settings')}>
        <Row icon="language" value={inLanguage('中文', 'English')}>
          {inLanguage('语言', 'Language')}
        </Row>
        <Row
          icon="bell"
          value={inLanguage(
            '提前 15 分钟和当天 9:00',
            '15 minutes before, and at 09:00 on the day',
          )}
        >
          {inLanguage('默认提醒', 'Default reminders')}
        </Row>
      </RowList>
      <RowList label={inLanguage('部门', 'Departments')} values="beside">
        <Row icon="building" value={<span className="num">304</span>}>
          {inLanguage('计算机学院', 'School of Computer Science')}
        </Row>
        <Row icon="building" value={<span className="num">97</span>}>
          {inLanguage('机械与动力工程学院', 'School of Mechanical and Power Engineering')}
        </Row>
      </RowList>
      <RowList label={inLanguage('联系方式', 'Contacts')} values="below">
        <Row icon="phone" value={<span className="num">0579-86281037</span>}>
          {inLanguage('办公电话', 'Office phone')}
        </Row>
        <Row icon="place" value={inLanguage('逸夫楼 202', 'Yifu Building 202')}>
          {inLanguage('办公地点', 'Office')}
        </Row>
      </RowList>
      <Order />
      <Card title={inLanguage('人与二维码', 'People and codes')}>
        <div className="gallery-row">
          <Avatar name={name} url="" size={40} />
          <Facts
            of={[
              name,
              inLanguage('副教授', 'Associate professor'),
              inLanguage('计算机学院', 'School of Computer Science'),
            ]}
          />
        </div>
        <FactList
          of={[
            [inLanguage('职务', 'Post'), inLanguage('副教授', 'Associate professor')],
            [inLanguage('办公地点', 'Office'), inLanguage('逸夫楼 202', 'Yifu Building 202')],
          ]}
        />
        <QrCode text="https://example.org/" label={inLanguage('示例二维码', 'An example')} />
      </Card>
      <Card title={inLanguage('没有加载出来', 'Not loaded')}>
        <StaleNote
          text={inLanguage(
            '网络不通，显示的是之前的内容',
            'Offline, showing what was loaded before',
          )}
          onRetry={retry}
        />
        <Failed
          text={inLanguage('服务器暂时没有回应', 'The server does not answer')}
          onRetry={retry}
        />
      </Card>
    </>
  )
}

function Order() {
  const [entries, setEntries] = useState(() => [
    { id: 'headlines', name: inLanguage('要闻', 'Headlines') },
    { id: 'campus', name: inLanguage('校园生活', 'Campus life') },
    { id: 'careers', name: inLanguage('招聘就业', 'Careers') },
  ])
  return (
    <OrderList
      label={inLanguage('栏目顺序', 'Order of columns')}
      entries={entries}
      onOrder={(ids) =>
        setEntries(ids.flatMap((id) => entries.find((entry) => entry.id === id) ?? []))
      }
    />
  )
}

type RowProps = { icon: IconName; value: ReactNode; children: string }

const Row = ({ icon, value, children }: RowProps) => (
  <li>
    <button type="button" className="list-row" onClick={() => toast(children)}>
      <RowContent icon={icon} value={value} leads>
        {children}
      </RowContent>
    </button>
  </li>
)
