const fs = require('node:fs');
exports.cp = fs.promises.cp;
exports.copyFile = fs.promises.copyFile;
exports.copyFileSync = fs.copyFileSync;
exports.isCloneSupported = () => false;
exports.constants = fs.constants;
