// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.watch;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.FileSystemSpace;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A held file of which it is known whether it has been let go. */
final class WatchedPath implements PinnedPath {
    private final HostWatch watch;
    private final PinnedPath real;

    WatchedPath(HostWatch watch, PinnedPath real) {
        this.watch = watch;
        this.real = watch.opened(real);
    }

    static PinnedPath real(PinnedPath path) {
        return path instanceof WatchedPath watched ? watched.real : path;
    }

    static Made watched(HostWatch watch, Made made) {
        return new Made(new WatchedPath(watch, made.path()), made.isNew());
    }

    @Override
    public Outcome<FileFacts> facts() {
        return watch.look(real::facts);
    }

    @Override
    public Outcome<Path> resolved() {
        return watch.look(real::resolved);
    }

    @Override
    public Outcome<FileSystemSpace> space() {
        return watch.look(real::space);
    }

    @Override
    public Outcome<PinnedPath> child(String relative) {
        return watch.look(() -> real.child(relative)).map(found -> new WatchedPath(watch, found));
    }

    @Override
    public Outcome<PinnedPath> within(String relative) {
        return watch.look(() -> real.within(relative)).map(found -> new WatchedPath(watch, found));
    }

    @Override
    public Outcome<PinnedPath> withoutMounts() {
        return watch.look(real::withoutMounts).map(found -> new WatchedPath(watch, found));
    }

    @Override
    public Outcome<Optional<String>> readLink(String name) {
        return watch.look(() -> real.readLink(name));
    }

    @Override
    public Outcome<Nothing> makeSymbolicLink(String name, String target) {
        return watch.change("the link " + name, () -> real.makeSymbolicLink(name, target));
    }

    @Override
    public Outcome<Nothing> replace(String name, String newName) {
        return watch.change("replacing " + newName, () -> real.replace(name, newName));
    }

    @Override
    public Outcome<Made> makeDirectory(String name, int mode) {
        return watch.change(
                "making the directory " + name,
                () -> real.makeDirectory(name, mode).map(made -> watched(watch, made)));
    }

    @Override
    public Outcome<List<String>> list(int limit) {
        return watch.look(() -> real.list(limit));
    }

    @Override
    public Outcome<Optional<byte[]>> readFile(String name, int limit) {
        return watch.look(() -> real.readFile(name, limit));
    }

    @Override
    public Outcome<Nothing> writeFile(String name, byte[] content, int mode) {
        return watch.change("writing the file " + name, () -> real.writeFile(name, content, mode));
    }

    @Override
    public Outcome<Nothing> removeFile(String name) {
        return watch.change("removing the file " + name, () -> real.removeFile(name));
    }

    @Override
    public Outcome<Nothing> removeDirectory(String name) {
        return watch.change("removing the directory " + name, () -> real.removeDirectory(name));
    }

    @Override
    public Outcome<Nothing> rename(String name, PinnedPath newParent, String newName) {
        return watch.change("moving " + name, () -> real.rename(name, real(newParent), newName));
    }

    @Override
    public Outcome<Nothing> setMode(int mode) {
        return watch.change("setting a mode", () -> real.setMode(mode));
    }

    @Override
    public Outcome<Nothing> setOwner(int owner, int group) {
        return watch.change("setting an owner", () -> real.setOwner(owner, group));
    }

    @Override
    public void close() {
        watch.closed(real);
        real.close();
    }
}
