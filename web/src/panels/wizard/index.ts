import type { App, Close } from '../../app'

/** The button that opens the wizard; the wizard itself is fetched when it is wanted. */
export function setUpWizard(app: App): Close {
  let close: Close | undefined
  let isComing = false
  const open = async () => {
    if (close || isComing) return
    isComing = true
    try {
      const { openWizard } = await import('./dialog')
      close = openWizard(app, () => {
        close = undefined
      })
    } catch {
      app.shell.toast('The wizard could not be fetched; is the room still there?', 'problem')
    } finally {
      isComing = false
    }
  }
  app.shell.tool({
    id: 'wizard',
    title: 'Build a robot',
    icon: 'wizard',
    key: 'Alt+W',
    onClick: () => void open(),
  })
  return () => close?.()
}
