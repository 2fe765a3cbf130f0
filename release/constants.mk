# What a release says of itself, DOWNLOAD too. Everything else is made of it: `make release-files` writes DESCRIPTION,
# CITATION, CITATION.cff, the AppStream metainfo and the names in README.md, `make index-entry` the entry of
# packages.octave.org. Addresses at example.org stand for those that are not known yet; `make release` refuses them.
VERSION := 0.4.0
DATE := 2026-11-25
AUTHOR := The attnpath authors
MAINTAINER := The attnpath authors
EMAIL := attnpath@example.org
URL := https://example.org/attnpath
TRACKER := https://example.org/attnpath/issues
DOCUMENTATION := https://example.org/attnpath/manual
ICON := https://example.org/attnpath/doc/icon.png
DOWNLOAD := https://example.org/attnpath/attnpath-0.4.0.tar.gz
ID := org.example.attnpath
