import { defineConfig } from 'vite'

// Everything is served by the Python process from one folder; nothing comes from elsewhere.
export default defineConfig({
  base: './',
  build: {
    outDir: '../src/robotix/server/static',
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 1500,
  },
})
