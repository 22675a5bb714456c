import { useState } from 'react'
import { formatMoney, formatNumber } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { Badge } from '#ui/badge.tsx'
import { Card } from '#ui/card.tsx'
import { CountTo } from '#ui/count-to.tsx'
import { Pill } from '#ui/pill.tsx'
import { Empty } from '../src/ui/feedback/empty.tsx'
import { NoticeBar } from '../src/ui/feedback/notice-bar.tsx'
import { notify } from '../src/ui/feedback/notify.tsx'
import { Skeleton } from '../src/ui/feedback/skeleton.tsx'
import { toast } from '../src/ui/feedback/toast.tsx'
import { Button } from '../src/ui/form/button.tsx'

/** Components for messages and labels. */
export function Words() {
  const [count, setCount] = useState(128.4)
  return (
    <>
      <Card title={inLanguage('提示', 'Messages')}>
        <div className="gallery-row">
          <Button onClick={() => toast(inLanguage('已收藏', 'Added to favourites'))}>Toast</Button>
          <Button
            onClick={() =>
              toast(inLanguage('已删除', 'Deleted'), {
                label: inLanguage('撤销', 'Undo'),
                run: () => toast(inLanguage('已恢复', 'Restored')),
              })
            }
          >
            Toast with an action
          </Button>
          <Button kind="plain" onClick={() => notify(inLanguage('网络已恢复', 'Back online'))}>
            Notify
          </Button>
          {(['success', 'warning', 'danger'] as const).map((tone) => (
            <Button
              key={tone}
              kind="plain"
              onClick={() => notify(inLanguage('内容已经更新', 'The content has changed'), tone)}
            >
              Notify {tone}
            </Button>
          ))}
        </div>
      </Card>
      <NoticeBar
        label={inLanguage('通知', 'Notices')}
        items={[
          {
            id: '1',
            text: inLanguage('图书馆本周日闭馆', 'The library is closed this Sunday'),
          },
          {
            id: '2',
            text: inLanguage(
              '岚山校区部分区域计划停水，请提前做好储水准备',
              'Parts of Lanshan Campus will be without water on Thursday night',
            ),
          },
        ]}
        onOpen={toast}
      />
      <Card title={inLanguage('数字与标记', 'Numbers and marks')}>
        <div className="gallery-row">
          <span className="num">
            <CountTo value={count} write={(value) => formatMoney(String(value))} />
          </span>
          <Button kind="plain" small onClick={() => setCount(count + 100)}>
            +{formatNumber(100)}
          </Button>
          <Badge count={7} label={inLanguage('7 条未读', '7 unread')} />
          <Badge count={1200} label={inLanguage('1200 条未读', '1200 unread')} />
          <Pill>{inLanguage('进行中', 'Under way')}</Pill>
          <Pill tone="green">{inLanguage('已完成', 'Done')}</Pill>
        </div>
      </Card>
      <Card title={inLanguage('没有内容，正在加载', 'Nothing, loading')}>
        <Empty icon="calendar" title={inLanguage('今天没有安排', 'Nothing today')}>
          {inLanguage('新的日程会显示在这里。', 'New events will be shown here.')}
        </Empty>
        <Skeleton rows={2} height={40} label={inLanguage('正在加载', 'Loading')} />
      </Card>
    </>
  )
}
