@echo off
rem Starts Hanchan Desk without the Internet: the packages are in this folder.
cd /d "%~dp0"
if exist desk\Scripts\hanchan-desk.exe goto start
py -3 -m venv desk || (echo Hanchan Desk needs Python 3.11 or newer: https://www.python.org/downloads/ & pause & exit /b 1)
desk\Scripts\python -m pip install --quiet --no-index --find-links wheels hanchan-desk || (rmdir /s /q desk & pause & exit /b 1)
:start
desk\Scripts\hanchan-desk %*
pause
