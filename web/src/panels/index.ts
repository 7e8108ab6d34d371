import './panels.css'
import type { App, Close } from '../app'
import { closeAll } from '../listeners'
import type { Wall } from '../wall/index'
import { setUpBody } from './body'
import { makeCommands } from './commands'
import { setUpControls } from './controls'
import { setUpFigures } from './figures'
import { openFirstPanel } from './first_panel'
import { setUpHelp } from './help'
import { setUpMessages } from './messages'
import { setUpPluginQuestion } from './plugin_question'
import { setUpScreen } from './screen'
import { setUpShare } from './share'
import { setUpTeach } from './teach'
import { setUpTour } from './tour'
import { setUpTree } from './tree'
import { setUpView } from './view'
import { setUpWizard } from './wizard'

/** The panels at the sides of the picture, the help and the wizard. */
export function setUpPanels(app: App, wall: Wall): Close {
  const commands = makeCommands(app)
  const tour = setUpTour(app)
  return closeAll([
    setUpTree(app, commands),
    setUpView(app),
    setUpScreen(app, wall),
    setUpMessages(app),
    setUpShare(app),
    setUpTeach(app, commands),
    setUpFigures(app),
    setUpControls(app, commands),
    setUpBody(app),
    setUpWizard(app),
    setUpPluginQuestion(app),
    openFirstPanel(app),
    tour.close,
    setUpHelp(app, tour.start),
  ])
}
