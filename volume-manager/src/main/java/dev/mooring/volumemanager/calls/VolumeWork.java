// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the host does around a plugin's stage, publish, unpublish and unstage: directories before, verification by the mount table and
 * clean-up after. Thread-safe.
 */
record VolumeWork(Path root, PluginRegistry plugins, HostServices host, PodSteps steps, RememberedStates states) {
    Outcome<PluginState> stage(OperationContext context, StageCall call) {
        Path path = call.record().stagingPath().orElseThrow();
        StageRequest request = new StageRequest(
                call.spec(), path, call.attached(), call.record().readOnly(), call.group());
        return stagingDirectory(path)
                .then(ready -> answered(
                        call.record(), with(call.plugin(), Staging.class, plugin -> plugin.stage(context, request))));
    }

    Outcome<PluginState> complete(OperationContext context, CompleteCall call) {
        Path path = call.record().stagingPath().orElseThrow();
        StageRequest request = new StageRequest(
                call.spec(), path, call.attached(), call.record().readOnly());
        return answered(
                call.record(),
                with(
                        call.plugin(),
                        Staging.class,
                        plugin -> plugin.complete(context, request, states.latest(call.record()))));
    }

    /** A path that is mounted over is there, and is not to be touched to find that out. */
    private Outcome<Nothing> stagingDirectory(Path path) {
        return host.mounts()
                .mountedIn(path)
                .then(mounted -> mounted.at(path).isEmpty() ? directories().make(path) : Outcome.done());
    }

    Outcome<Nothing> unstage(OperationContext context, Stage record) {
        Path path = record.stagingPath().orElseThrow();
        return with(
                        record.volumeId().plugin(),
                        Staging.class,
                        plugin -> plugin.unstage(context, record.volumeId(), path, states.of(record)))
                .then(done -> notMounted(path))
                .then(done -> directories().removeEmpty(path));
    }

    Outcome<PluginState> publish(OperationContext context, PublishCall asked) {
        return stillThere(context, asked)
                .then(call -> show(context, call)
                        .then(state ->
                                partly(steps.afterPublish(context, call, state)).map(done -> state)));
    }

    /** If what a pod had before the boot has gone, it is made again, as if it had never been there. */
    private Outcome<PublishCall> stillThere(OperationContext context, PublishCall call) {
        if (call.request().occasion() != Occasion.RESUME) {
            return Outcome.done(call);
        }
        Path target = call.request().target();
        return host.files().open(target, LinkRule.FOLLOW).ifFound().map(found -> {
            found.ifPresent(PinnedPath::close);
            if (found.isEmpty()) {
                context.report(Notice.warning(
                        "VolumeContentLost",
                        target + " was removed, with what the pod had in it; it is created again"));
            }
            return found.isPresent() ? call : call.on(Occasion.RECOVERY);
        });
    }

    private Outcome<PluginState> show(OperationContext context, PublishCall call) {
        if (call.record().deviceMap().isPresent()) {
            return with(call.plugin(), BlockMapping.class, plugin -> devices().map(context, call, plugin));
        }
        return directories()
                .make(parentOf(call.request().target()))
                .then(ready -> answered(
                        call.record(),
                        with(call.plugin(), Publishing.class, plugin -> plugin.publish(context, call.request()))));
    }

    /** The plugin's part has been done, so nothing that fails after it leaves the node unchanged. */
    private static Outcome<Nothing> partly(Outcome<Nothing> step) {
        return step.isDone() ? step : Outcome.uncertain(step.message());
    }

    Outcome<Nothing> unpublish(OperationContext context, UnpublishCall call) {
        Outcome<Nothing> begun = steps.beforeUnpublish(context, call.record());
        return call.storageStays() ? begun : begun.then(done -> hide(context, call.record()));
    }

    private Outcome<Nothing> hide(OperationContext context, Publish record) {
        PluginName name = record.volumeId().plugin();
        if (record.deviceMap().isPresent()) {
            return with(name, BlockMapping.class, plugin -> devices().unmap(context, record, plugin));
        }
        return with(
                        name,
                        Publishing.class,
                        plugin -> plugin.unpublish(
                                context, record.volumeId(), record.pod(), record.target(), states.of(record)))
                .then(done -> notMounted(record.target()))
                .then(done -> directories().removeEmpty(parentOf(record.target())));
    }

    /** What was undone is undone only when the kernel agrees (semantics/attach-and-mount §6.1, moosefs-csi#34). */
    private Outcome<Nothing> notMounted(Path path) {
        return host.mounts()
                .mountedIn(path)
                .then(mounted -> mounted.entries().isEmpty()
                        ? Outcome.done()
                        : Outcome.uncertain("something is still mounted on " + path));
    }

    private <E extends RecordEntry> Outcome<PluginState> answered(E record, Outcome<PluginState> answer) {
        answer.result().ifPresent(state -> states.answered(record, state));
        return answer;
    }

    private DeviceWork devices() {
        return new DeviceWork(host, directories());
    }

    private HostDirectories directories() {
        return new HostDirectories(host.files(), root);
    }

    private static Path parentOf(Path target) {
        return Optional.ofNullable(target.getParent()).orElse(target);
    }

    private <C extends Capability, T> Outcome<T> with(PluginName name, Class<C> type, Function<C, Outcome<T>> action) {
        // A plugin that is not installed (any more) leaves everything as it is; it may come back.
        Optional<C> capability = plugins.capability(name, type);
        // Not by map: an answer that is null would be taken for a plugin that is not there, and has done nothing.
        return capability.isPresent()
                ? Optional.ofNullable(action.apply(capability.get()))
                        .orElseGet(() -> Outcome.uncertain("plugin " + name + " answered null"))
                : Outcome.deferred("this node has no plugin " + name + " that is " + type.getSimpleName());
    }
}
