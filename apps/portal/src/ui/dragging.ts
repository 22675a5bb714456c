import './dragging.css'
import { Accessibility, type DragDropManager, StyleInjector } from '@dnd-kit/dom'

/** The page policy blocks the style elements that the library inserts; `dragging.css` has their rules. */
class NoStyles extends StyleInjector {
  constructor(manager: DragDropManager) {
    super(manager)
    const injector = manager.registry.plugins.get(StyleInjector)
    if (injector) injector.register = () => () => {}
  }
}

/**
 * The library's plugins without accessibility, which would turn handles into buttons: keyboard and screen reader users
 * have buttons or a menu of their own.
 */
export const dragPlugins = <T>(defaults: readonly T[]) => [
  // First, before a plugin registers its rules.
  NoStyles,
  ...defaults.filter((plugin) => plugin !== (Accessibility as unknown)),
]
