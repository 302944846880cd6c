import { expect, test } from 'vitest'
import { configFolder } from './config-folder.ts'

const home = '/home/me'

test.each<[NodeJS.Platform, Record<string, string>, string]>([
  ['linux', {}, '/home/me/.config'],
  ['linux', { APPDATA: '/roaming' }, '/home/me/.config'],
  ['freebsd', { XDG_CONFIG_HOME: '/xdg' }, '/xdg'],
  ['linux', { XDG_CONFIG_HOME: '' }, '/home/me/.config'],
  ['linux', { XDG_CONFIG_HOME: 'relative' }, '/home/me/.config'],
  ['darwin', {}, '/home/me/Library/Application Support'],
  ['darwin', { XDG_CONFIG_HOME: '/xdg' }, '/xdg'],
  ['win32', { APPDATA: '/roaming' }, '/roaming'],
  ['win32', {}, '/home/me/AppData/Roaming'],
])('N18: settings on %s with %j are in %s', (platform, env, folder) => {
  expect(configFolder({ platform, env, home }).replaceAll('\\', '/')).toBe(folder)
})
