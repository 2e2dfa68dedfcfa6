// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.volumemanager.look.BoundedLooks;
import java.nio.file.Path;

/**
 * What every host does to what a plugin has published: gives it to the pod's group, then shows parts of it to containers (semantics/
 * attach-and-mount §3.11, §3.15). A volume whose plugin keeps its own ownership, one that is read-only, and a device are not given away.
 * Every step may be repeated after any interruption. Thread-safe.
 */
final class PodSteps {
    /** More servers than this that do not answer are a broken machine. */
    private static final int MOST_LOOKS = 32;

    private final Path root;
    private final PluginRegistry plugins;
    private final FirstPods firstPods = new FirstPods();
    private final BoundedLooks looks = new BoundedLooks(BoundedLooks.ownThreads(), MOST_LOOKS);
    private final GroupWalks walks = new GroupWalks(looks);

    PodSteps(Path root, PluginRegistry plugins) {
        this.root = root;
        this.plugins = plugins;
    }

    /**
     * After the plugin has published: the pod gets the volume only once this is done too.
     *
     * @param context the context of the call that published
     * @param call what was published; its target is there
     * @param state what the plugin answered
     * @return done, or why the publish has not succeeded; it is repeated then, with the plugin's part
     */
    Outcome<Nothing> afterPublish(OperationContext context, PublishCall call, PluginState state) {
        PublishRequest request = call.request();
        if (call.record().deviceMap().isPresent()) {
            return Outcome.done();
        }
        // what the pod has had since before the boot is as the pod wants it
        boolean own = ownedByPod(call, state) && request.occasion() != Occasion.RESUME;
        Outcome<Nothing> given = own ? giveUnlessOthersHave(context, call) : Outcome.done();
        // what containers see of the volume stays the same; files that a refresh brought are new
        return request.occasion() == Occasion.REPUBLISH
                ? given
                : given.then(done -> subPaths(context, call.record())
                        .publish(request.target(), call.setup().subPaths()));
    }

    private boolean ownedByPod(PublishCall call, PluginState state) {
        boolean given = plugins.capability(call.plugin(), Publishing.class)
                .filter(plugin -> plugin.givesToGroup(state))
                .isPresent();
        return call.setup().group().isPresent()
                && !given
                && !call.request().readOnly()
                && plugins.named(call.plugin())
                        .filter(plugin -> plugin.describe().managesOwnership())
                        .isPresent();
    }

    private Outcome<Nothing> giveUnlessOthersHave(OperationContext context, PublishCall call) {
        boolean firstOnly = plugins.capability(call.plugin(), Publishing.class)
                .filter(Publishing::ownedByFirstPod)
                .isPresent();
        return firstOnly ? firstPods.inTurn(call, () -> giveIfFirst(context, call)) : walks.give(context, call);
    }

    private Outcome<Nothing> giveIfFirst(OperationContext context, PublishCall call) {
        return context.host()
                .mounts()
                .table()
                .then(table -> anotherPodHas(table, call) ? tell(context, call) : walks.give(context, call));
    }

    /** A mount alone is not enough: of two pods that come at once, or after a walk that was cut off, none would give the volume away. */
    private boolean anotherPodHas(MountTable table, PublishCall call) {
        Path pods = root.resolve("pods");
        return table.top(call.request().target()).stream()
                .flatMap(mount -> table.references(mount.device(), mount.root()).stream())
                .map(MountEntry::mountPoint)
                .anyMatch(place -> firstPods.others(call).anyMatch(uid -> place.startsWith(pods.resolve(uid))));
    }

    private Outcome<Nothing> tell(OperationContext context, PublishCall call) {
        int wanted = call.setup().group().orElseThrow();
        return walks.root(context, call).map(facts -> {
            if (facts.group() != wanted) {
                context.report(Notice.warning(
                        "AlreadyMountedVolume",
                        "another pod has the volume, so it stays with group " + facts.group()
                                + " and is not given to group " + wanted));
            }
            return Nothing.NOTHING;
        });
    }

    /**
     * Before the plugin unpublishes, from what was recorded alone.
     *
     * @param context the context of the call that unpublishes
     * @param record what was published
     * @return done if nothing of the steps is left; otherwise the plugin's part is not begun
     */
    Outcome<Nothing> beforeUnpublish(OperationContext context, RecordEntry.Publish record) {
        firstPods.left(record);
        return record.deviceMap().isPresent()
                ? Outcome.done()
                : subPaths(context, record).unpublish();
    }

    /** Named by the pod's volume, which is unique in the pod. */
    private SubPaths subPaths(OperationContext context, RecordEntry.Publish record) {
        return new SubPaths(
                context, looks, root.resolve("pods").resolve(record.pod().uid()), record.podVolume());
    }
}
