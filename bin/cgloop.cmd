@echo off
rem `cgloop` in VS Code's terminals. The extension names a Node in CGLOOP_NODE, which may be VS Code's own program.
setlocal
if not defined CGLOOP_NODE goto node
if not exist "%CGLOOP_NODE%" goto node
set "ELECTRON_RUN_AS_NODE=1"
"%CGLOOP_NODE%" "%~dp0..\dist\host.cjs" %*
exit /b %ERRORLEVEL%
:node
node "%~dp0..\dist\host.cjs" %*
exit /b %ERRORLEVEL%
