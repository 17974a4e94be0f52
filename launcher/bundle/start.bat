@echo off
rem Starts Hanchan Desk without the Internet: the packages are in this folder.
cd /d "%~dp0"
if exist desk\Scripts\hanchan-desk.exe goto start
set version=
for %%v in (@PYTHONS@) do py -%%v -c "" >nul 2>nul && set version=%%v
if not defined version (
  echo This zip is for Python @OLDEST@ to @NEWEST@ on @SYSTEM@, and none of them is here: https://www.python.org/downloads/
  echo Install one of them, then run this again. Several may stand side by side.
  pause & exit /b 1
)
echo The first start sets the desk up in this folder, which takes a minute ...
py -%version% -m venv desk && desk\Scripts\python -m pip install --quiet --no-index --find-links wheels hanchan-desk && goto start
if exist desk rmdir /s /q desk
echo The desk could not be set up; the words above say why. This zip is for @SYSTEM@ and Python @OLDEST@ to @NEWEST@.
pause & exit /b 1
:start
desk\Scripts\hanchan-desk %*
pause
