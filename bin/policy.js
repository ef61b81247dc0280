#!/usr/bin/env node
// The entry of the installed command.
import '../dist/policy.js';
