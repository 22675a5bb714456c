import './action-sheet.css'
import { Icon, type IconName } from '../media/icon.tsx'
import { Sheet } from './dialog.tsx'

export type SheetAction = {
  icon: IconName
  label: string
  onSelect: () => void
  /** It takes something away. */
  danger?: boolean
}

type ActionSheetProps = {
  open: boolean
  onClose: () => void
  /** What the actions are done to. */
  title: string
  actions: readonly SheetAction[]
}

/** What can be done with one thing. */
export const ActionSheet = ({ open, onClose, title, actions }: ActionSheetProps) => (
  <Sheet open={open} onClose={onClose} title={title}>
    <ul className="action-list">
      {actions.map(({ icon, label, onSelect, danger }) => (
        <li key={label}>
          <button
            type="button"
            className={danger ? 'action-row action-row-danger' : 'action-row'}
            onClick={() => {
              onClose()
              onSelect()
            }}
          >
            <Icon name={icon} />
            {label}
          </button>
        </li>
      ))}
    </ul>
  </Sheet>
)
