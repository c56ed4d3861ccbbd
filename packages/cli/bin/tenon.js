#!/usr/bin/env node
// Here from the first: npm links programs before the build has made `dist`.
import '../dist/main.js';
