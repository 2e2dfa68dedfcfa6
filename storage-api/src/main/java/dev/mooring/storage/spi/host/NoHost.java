// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Refusal;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Refuses everything. */
final class NoHost
        implements HostServices, ProcessRunner, Mounts, HostFiles, BlockDevices, FileSystems, DirectoryQuotas, Sysfs {
    static final NoHost SERVICES = new NoHost("this call is made by a controller, not on a machine that has storage");

    private final String why;

    NoHost(String why) {
        this.why = why;
    }

    private <T> Outcome<T> refuse() {
        return Outcome.refused(Refusal.UNSUPPORTED, why);
    }

    @Override
    public HostCapabilities capabilities() {
        return HostCapabilities.nothing(why);
    }

    @Override
    public ProcessRunner processes() {
        return this;
    }

    @Override
    public Mounts mounts() {
        return this;
    }

    @Override
    public HostFiles files() {
        return this;
    }

    @Override
    public Outcome<Path> stateDirectory(PluginName plugin) {
        return refuse();
    }

    @Override
    public Optional<Path> locate(String tool) {
        return Optional.empty();
    }

    @Override
    public Outcome<CommandResult> run(OperationContext context, Command command) {
        return Outcome.refused(Refusal.UNSUPPORTED, "cannot run " + command.tool() + ": " + why);
    }

    @Override
    public Outcome<MountTable> table() {
        return refuse();
    }

    @Override
    public Outcome<MountEntry> bind(PinnedPath source, Path target, BindOptions options) {
        return refuse();
    }

    @Override
    public Outcome<MountEntry> entryOf(PinnedPath path) {
        return refuse();
    }

    @Override
    public Outcome<Nothing> unmount(
            OperationContext context, Path target, MountExpectation expected, UnmountForce force) {
        return refuse();
    }

    @Override
    public Outcome<PinnedPath> open(Path path, LinkRule links) {
        return refuse();
    }

    @Override
    public Outcome<Made> openOrMake(Path path, LinkRule links, FileKind kind, int mode) {
        return refuse();
    }

    @Override
    public Outcome<EmptiedTree> empty(OperationContext context, PinnedPath root, TreeRules rules) {
        return refuse();
    }

    @Override
    public Outcome<OwnedTree> own(OperationContext context, PinnedPath root, OwnershipRule rule) {
        return refuse();
    }

    @Override
    public Outcome<CopiedTree> copy(OperationContext context, PinnedPath from, PinnedPath to) {
        return refuse();
    }

    @Override
    public Outcome<MountEntry> mount(OperationContext context, Path target, MountRequest request) {
        return refuse();
    }

    @Override
    public BlockDevices blockDevices() {
        return this;
    }

    @Override
    public FileSystems fileSystems() {
        return this;
    }

    @Override
    public DirectoryQuotas quotas() {
        return this;
    }

    @Override
    public Outcome<Long> limit(PinnedPath directory, String key, long bytes) {
        return refuse();
    }

    @Override
    public Outcome<Nothing> lift(PinnedPath directory, String key) {
        return refuse();
    }

    @Override
    public Sysfs sysfs() {
        return this;
    }

    @Override
    public Outcome<BlockDevice> find(Path path) {
        return refuse();
    }

    @Override
    public Outcome<BlockDevice> named(String name) {
        return refuse();
    }

    @Override
    public Outcome<List<String>> users(OperationContext context, BlockDevice device) {
        return refuse();
    }

    @Override
    public Outcome<Nothing> flush(OperationContext context, BlockDevice device) {
        return refuse();
    }

    @Override
    public Outcome<Boolean> isZero(OperationContext context, BlockDevice device, long offset, long length) {
        return refuse();
    }

    @Override
    public Outcome<Nothing> setReadOnly(OperationContext context, BlockDevice device, boolean readOnly) {
        return refuse();
    }

    @Override
    public Outcome<BlockDevice> rescan(OperationContext context, BlockDevice device) {
        return refuse();
    }

    @Override
    public Outcome<Nothing> remove(OperationContext context, BlockDevice device) {
        return refuse();
    }

    @Override
    public Outcome<Optional<BlockDevice>> multipathMap(BlockDevice path) {
        return refuse();
    }

    @Override
    public Outcome<BlockDevice> attachLoop(OperationContext context, Path file) {
        return refuse();
    }

    @Override
    public Outcome<Nothing> detachLoop(OperationContext context, Path file) {
        return refuse();
    }

    @Override
    public Outcome<Optional<String>> probe(OperationContext context, BlockDevice device) {
        return refuse();
    }

    @Override
    public Outcome<MountEntry> mount(
            OperationContext context, BlockDevice device, Path target, FileSystemRequest request) {
        return refuse();
    }

    @Override
    public Outcome<Long> grow(OperationContext context, BlockDevice device, Path mountPoint) {
        return refuse();
    }

    @Override
    public Outcome<List<String>> list(Path directory) {
        return refuse();
    }

    @Override
    public Outcome<Optional<String>> read(Path file) {
        return refuse();
    }

    @Override
    public Outcome<Optional<Path>> resolve(Path path) {
        return refuse();
    }

    @Override
    public Outcome<Nothing> write(OperationContext context, Path file, String text) {
        return refuse();
    }
}
