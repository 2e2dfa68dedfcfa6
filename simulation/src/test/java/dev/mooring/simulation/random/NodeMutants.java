// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.ProcessRunner;
import dev.mooring.storage.store.Change;
import dev.mooring.volumemanager.calls.PublishCall;
import java.util.List;

/** Planted bugs of nodes: mounting, and making file systems. */
final class NodeMutants {
    private static final String NODE = "node";

    private NodeMutants() {}

    static List<Mutant> mounting() {
        return List.of(
                Mutant.effect(
                        NODE,
                        "says that nothing is in use",
                        "report-node",
                        (effect, situation) -> List.of(Mutant.rewritten(
                                effect, change -> new Change<>(change.base(), unused(change.edited()))))),
                Mutant.skipped(NODE, "report-node"),
                Mutant.fromCache(NODE, "check-node"),
                Mutant.uncertainIsDone(NODE, "unstage", Nothing.NOTHING),
                Mutant.uncertainIsDone(NODE, "unpublish", Nothing.NOTHING),
                Mutant.refusedIsDone(NODE, "unpublish"),
                Mutant.uncertainIsDone(NODE, "stage", PluginState.NONE),
                Mutant.uncertainIsDone(NODE, "publish", PluginState.NONE),
                new Mutant(NODE, "writes no records") {
                    @Override
                    boolean records() {
                        return false;
                    }
                },
                new Mutant(NODE, "forgets its records over a restart") {
                    @Override
                    boolean remembers() {
                        return false;
                    }
                },
                Mutant.fromCache(NODE, "confirm-pod"),
                Mutant.deaf(
                        NODE,
                        "does not notice that pods are being deleted",
                        change -> change.concerns(Kinds.POD)
                                && change.before().isPresent()
                                && change.after().isPresent()),
                Mutant.effect(
                        NODE, "lets every pod write", "publish", (effect, situation) -> List.of(forWriting(effect))),
                Mutant.skipped(NODE, "end-pod"),
                Mutant.skipped(NODE, "run-pod"),
                Mutant.deaf(
                        NODE,
                        "does not notice its node",
                        change -> change.concerns(Kinds.NODE) && change.before().isPresent()));
    }

    static List<Mutant> formatting() {
        return List.of(
                new Unreading("takes what it cannot read for zeros"),
                new Unreading("formats when the probe is unsure") {
                    @Override
                    ProcessRunner tools(ProcessRunner real) {
                        return new Mistaken.Tools(real, result -> result.exitCode() == 0 ? result : Mistaken.NOTHING);
                    }
                },
                new LooksTooEarly("probes before the volume is attached"),
                new LooksTooEarly("makes a file system wherever a volume comes to it") {
                    @Override
                    VolumeNotes notes(VolumeNotes real) {
                        return Mistaken.LOST;
                    }
                },
                new Mutant(NODE, "takes a file system that was in use for one whose making was cut off") {
                    @Override
                    VolumeNotes notes(VolumeNotes real) {
                        return new Mistaken.FirstOnly(real);
                    }

                    @Override
                    Outcome<byte[]> head(Outcome<byte[]> real) {
                        return real.map(Mistaken::neverMounted);
                    }
                });
    }

    /** What it cannot read counts as zeros, wherever it looks. */
    private static class Unreading extends Mutant {
        Unreading(String name) {
            super(NODE, name);
        }

        @Override
        BlockDevices devices(BlockDevices real) {
            return new Mistaken.Devices(real, read -> read.isDone() ? read : Outcome.done(true));
        }

        @Override
        Outcome<byte[]> head(Outcome<byte[]> real) {
            return real.isDone() ? real : Outcome.done(new byte[0]);
        }
    }

    /** Who looks at a device before it is there sees zeros, and afterwards takes it to hold none. */
    private static class LooksTooEarly extends Mutant {
        LooksTooEarly(String name) {
            super(NODE, name);
        }

        @Override
        BlockDevices devices(BlockDevices real) {
            return new Mistaken.Devices(real, read -> Outcome.done(true));
        }

        @Override
        Outcome<byte[]> head(Outcome<byte[]> real) {
            return Outcome.done(new byte[0]);
        }

        @Override
        ProcessRunner tools(ProcessRunner real) {
            return new Mistaken.EarlyTools(real);
        }
    }

    // ---- what is done instead ----

    private static Effect forWriting(Effect effect) {
        if (effect instanceof Effect.Perform perform && perform.call() instanceof PublishCall publish) {
            PublishRequest asked = publish.request();
            PublishRequest writing = new PublishRequest(
                    asked.volume(), asked.pod(), asked.target(), asked.stagingPath(), false, asked.occasion());
            PublishCall planted =
                    new PublishCall(publish.onNode(), publish.record(), writing, publish.setup(), publish.holders());
            return new Effect.Perform(perform.operation(), planted, perform.target(), perform.timeLimit());
        }
        return effect;
    }

    private static KubernetesObject unused(KubernetesObject object) {
        return object instanceof Node node ? node.withStatus(node.status().withVolumesInUse(List.of())) : object;
    }
}
