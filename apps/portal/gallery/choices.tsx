import { useState } from 'react'
import { inLanguage } from '#lib/language.ts'
import { Card } from '#ui/card.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { ActionSheet } from '../src/ui/feedback/action-sheet.tsx'
import { Dialog, Sheet } from '../src/ui/feedback/dialog.tsx'
import { toast } from '../src/ui/feedback/toast.tsx'
import { Button } from '../src/ui/form/button.tsx'
import { IconButton } from '../src/ui/form/icon-button.tsx'
import { Picker } from '../src/ui/form/picker.tsx'
import { Rate } from '../src/ui/form/rate.tsx'
import { Switch } from '../src/ui/form/switch.tsx'
import { Icon } from '../src/ui/media/icon.tsx'

/** Components for choosing. */
export function Choices() {
  const [open, setOpen] = useState<'dialog' | 'sheet' | 'actions' | 'picker'>()
  const [picked, setPicked] = useState(['1', '3'])
  const [stars, setStars] = useState(0)
  const [on, setOn] = useState(true)
  const [tab, setTab] = useState<'a' | 'b' | 'c'>('a')
  const close = () => setOpen(undefined)
  const weeks = Array.from({ length: 20 }, (_, at) => String(at + 1))
  return (
    <>
      <Card title={inLanguage('按钮', 'Buttons')}>
        <div className="gallery-row">
          <Button>{inLanguage('确定', 'OK')}</Button>
          <Button kind="plain">{inLanguage('取消', 'Cancel')}</Button>
          <Button kind="danger">{inLanguage('删除', 'Delete')}</Button>
          <Button busy>{inLanguage('提交中', 'Sending')}</Button>
          <Button disabled>{inLanguage('不可用', 'Not now')}</Button>
          <Button small kind="plain">
            {inLanguage('小按钮', 'Small')}
          </Button>
          <IconButton label={inLanguage('搜索', 'Search')}>
            <Icon name="search" />
          </IconButton>
        </div>
      </Card>
      <Card title={inLanguage('弹层', 'Layers')}>
        <div className="gallery-row">
          <Button kind="plain" onClick={() => setOpen('dialog')}>
            Dialog
          </Button>
          <Button kind="plain" onClick={() => setOpen('sheet')}>
            Sheet
          </Button>
          <Button kind="plain" onClick={() => setOpen('actions')}>
            ActionSheet
          </Button>
          <Button kind="plain" onClick={() => setOpen('picker')}>
            Picker
          </Button>
          <span>{picked.join(' / ')}</span>
        </div>
        <Dialog
          open={open === 'dialog'}
          onClose={close}
          title={inLanguage('删除这条日程？', 'Delete this event?')}
          actions={<Button onClick={close}>{inLanguage('删除', 'Delete')}</Button>}
        >
          {inLanguage('删除后不能恢复。', 'This cannot be undone.')}
        </Dialog>
        <ActionSheet
          open={open === 'actions'}
          onClose={close}
          title={inLanguage('图书馆', 'Library')}
          actions={[
            { icon: 'pin', label: inLanguage('置顶', 'Pin to top'), onSelect: close },
            { icon: 'trash', label: inLanguage('删除', 'Delete'), onSelect: close, danger: true },
          ]}
        />
        <Sheet open={open === 'sheet'} onClose={close} title={inLanguage('更多', 'More')}>
          {inLanguage('一些内容', 'Some content')}
          <Button
            kind="plain"
            onClick={() =>
              toast(inLanguage('已加入', 'Added'), {
                label: inLanguage('撤销', 'Undo'),
                run: () => toast(inLanguage('已撤销', 'Undone')),
              })
            }
          >
            {inLanguage('加入', 'Add')}
          </Button>
        </Sheet>
        {open === 'picker' ? (
          <Picker
            title={inLanguage('教学周', 'Week of term')}
            wheels={[
              {
                label: inLanguage('校区', 'Campus'),
                options: [
                  { value: '1', text: inLanguage('岚山', 'Lanshan') },
                  { value: '2', text: inLanguage('江北', 'Jiangbei') },
                ],
              },
              {
                label: inLanguage('周', 'Week'),
                options: weeks.map((value) => ({
                  value,
                  text: inLanguage(`第 ${value} 周`, `Week ${value}`),
                })),
              },
            ]}
            values={picked}
            onConfirm={setPicked}
            onClose={close}
          />
        ) : null}
      </Card>
      <Card title={inLanguage('选择', 'Choices')}>
        <Switch label={inLanguage('接收通知', 'Notify me')} checked={on} onChange={setOn} />
        <Rate label={inLanguage('满意度', 'How was it?')} value={stars} onValue={setStars} />
        <p>
          <Rate label={inLanguage('评分', 'Rated')} value={4.2} />
        </p>
        <Tabs
          variant="segment"
          label={inLanguage('视图', 'View')}
          value={tab}
          onChange={setTab}
          items={[
            { value: 'a', label: inLanguage('日', 'Day') },
            { value: 'b', label: inLanguage('周', 'Week') },
            { value: 'c', label: inLanguage('月', 'Month') },
          ]}
        >
          <p>{tab}</p>
        </Tabs>
      </Card>
    </>
  )
}
