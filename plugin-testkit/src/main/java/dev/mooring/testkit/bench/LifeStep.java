// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.Cloning;
import dev.mooring.storage.spi.ContentSource;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Snapshotting;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.VolumeTemplate;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The steps by which storage comes to a pod, each with what undoes it. */
public enum LifeStep {
    /** Making the storage; undone by deleting it. */
    PROVISION {
        @Override
        public boolean applies(Bench bench) {
            return bench.plugin().capability(Provisioning.class).isPresent();
        }

        @Override
        public boolean undoable(Bench bench) {
            return bench.plugin().capability(Deleting.class).isPresent();
        }

        @Override
        public Outcome<?> act(VolumeLife life, OperationContext context) {
            Provisioning maker = life.capability(Provisioning.class);
            life.took(this);
            Outcome<VolumeTemplate> made = life.bench()
                    .call("provision", () -> maker.plan(life.request()).then(plan -> make(life, context, maker, plan)));
            made.result().ifPresent(life::provisioned);
            return made;
        }

        private Outcome<VolumeTemplate> make(
                VolumeLife life, OperationContext context, Provisioning maker, VolumeTemplate plan) {
            Optional<ContentSource> content = life.request().content();
            if (content.isEmpty()) {
                return maker.provision(context, life.request(), plan);
            }
            return content.get() instanceof ContentSource.OfSnapshot taken
                    ? life.capability(Snapshotting.class).restore(context, life.request(), plan, taken.snapshot())
                    : life.capability(Cloning.class)
                            .cloneVolume(
                                    context, life.request(), plan, ((ContentSource.OfVolume) content.get()).volume());
        }

        @Override
        public Outcome<Nothing> undo(VolumeLife life, OperationContext context, boolean answerLost) {
            return life.bench()
                    .call("delete", () -> life.capability(Deleting.class).delete(context, life.spec()));
        }
    },
    /** Connecting it to the node; undone by detaching. */
    ATTACH {
        @Override
        public boolean applies(Bench bench) {
            return bench.plugin().capability(Attaching.class).isPresent();
        }

        @Override
        public Outcome<?> act(VolumeLife life, OperationContext context) {
            Attaching attacher = life.capability(Attaching.class);
            life.took(this);
            Outcome<Map<String, String>> answer = life.bench()
                    .call(
                            "attach",
                            () -> attacher.attach(
                                    context, life.spec(), life.bench().subject().node()));
            answer.result().ifPresent(life::attached);
            return answer;
        }

        @Override
        public Outcome<Nothing> undo(VolumeLife life, OperationContext context, boolean answerLost) {
            Attaching attacher = life.capability(Attaching.class);
            return life.bench()
                    .call(
                            "detach",
                            () -> attacher.detach(
                                    context, life.id(), life.bench().subject().node()));
        }
    },
    /** Preparing it on the node; undone by unstaging. */
    STAGE {
        @Override
        public boolean applies(Bench bench) {
            return bench.plugin().capability(Staging.class).isPresent();
        }

        @Override
        public void prepare(VolumeLife life) {
            life.bench().make(life.stagingPath().orElseThrow());
        }

        @Override
        public Outcome<?> act(VolumeLife life, OperationContext context) {
            life.took(this);
            Outcome<PluginState> answer = life.bench()
                    .call("stage", () -> life.capability(Staging.class).stage(context, life.stageRequest()));
            answer.result().ifPresent(life::staged);
            return answer;
        }

        @Override
        public Outcome<Nothing> undo(VolumeLife life, OperationContext context, boolean answerLost) {
            PluginState state = answerLost ? life.remembered(operation()) : life.staged();
            Path path = life.stagingPath().orElseThrow();
            return life.bench()
                    .call("unstage", () -> life.capability(Staging.class).unstage(context, life.id(), path, state));
        }
    },
    /** Showing it to a pod; undone by unpublishing. */
    PUBLISH {
        @Override
        public boolean applies(Bench bench) {
            return bench.plugin().capability(Publishing.class).isPresent();
        }

        @Override
        public void prepare(VolumeLife life) {
            life.bench().make(parent(life.target(life.pod(1))));
        }

        @Override
        public Outcome<?> act(VolumeLife life, OperationContext context) {
            life.took(this);
            return publish(life, life.pod(1), false, context);
        }

        @Override
        public Outcome<Nothing> undo(VolumeLife life, OperationContext context, boolean answerLost) {
            PodRef pod = life.pod(1);
            return unpublish(life, pod, answerLost ? life.remembered(operation()) : life.published(pod), context);
        }
    },
    /** Finding its raw device for a pod; undone by unmapping. */
    MAP {
        @Override
        public boolean applies(Bench bench) {
            return bench.plugin().capability(BlockMapping.class).isPresent();
        }

        @Override
        public Outcome<?> act(VolumeLife life, OperationContext context) {
            life.took(this);
            return map(life, life.pod(1), context);
        }

        @Override
        public Outcome<Nothing> undo(VolumeLife life, OperationContext context, boolean answerLost) {
            return unmap(life, life.pod(1), context);
        }
    };

    /** The steps of a file system, in their order. */
    public static final List<LifeStep> WAY = List.of(PROVISION, ATTACH, STAGE, PUBLISH);

    /** The steps of a raw device, in their order. */
    public static final List<LifeStep> DEVICE_WAY = List.of(PROVISION, ATTACH, STAGE, MAP);

    /** Whether the plugin has it. */
    public abstract boolean applies(Bench bench);

    /** Whether the plugin can undo it. */
    public boolean undoable(Bench bench) {
        return true;
    }

    /** Does the host's part that comes before. */
    public void prepare(VolumeLife life) {}

    /** Makes the call. */
    public abstract Outcome<?> act(VolumeLife life, OperationContext context);

    /**
     * Makes the call that undoes it.
     *
     * @param answerLost whether the answer of the call is not known
     */
    public abstract Outcome<Nothing> undo(VolumeLife life, OperationContext context, boolean answerLost);

    /** The name of the call. */
    public String operation() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Shows a volume to a pod. */
    public static Outcome<PluginState> publish(
            VolumeLife life, PodRef pod, boolean readOnly, OperationContext context) {
        life.bench().make(parent(life.target(pod)));
        Outcome<PluginState> answer = life.bench()
                .call(
                        "publish",
                        () -> life.capability(Publishing.class).publish(context, life.publishRequest(pod, readOnly)));
        answer.result().ifPresent(state -> life.published(pod, state));
        return answer;
    }

    /** Takes it from a pod. */
    public static Outcome<Nothing> unpublish(VolumeLife life, PodRef pod, PluginState state, OperationContext context) {
        return life.bench()
                .call(
                        "unpublish",
                        () -> life.capability(Publishing.class)
                                .unpublish(context, life.id(), pod, life.target(pod), state));
    }

    /** Takes it from a pod with the state that publishing answered. */
    public static Outcome<Nothing> unpublish(VolumeLife life, PodRef pod) {
        return VolumeLife.patiently(
                () -> unpublish(life, pod, life.published(pod), life.context("unpublish " + pod.uid())));
    }

    /** Finds the raw device for a pod. */
    public static Outcome<Path> map(VolumeLife life, PodRef pod, OperationContext context) {
        Outcome<Path> answer = life.bench()
                .call("map", () -> life.capability(BlockMapping.class).map(context, life.publishRequest(pod, false)));
        answer.result().ifPresent(life::mapped);
        return answer;
    }

    /** Takes the raw device from a pod. */
    public static Outcome<Nothing> unmap(VolumeLife life, PodRef pod, OperationContext context) {
        return life.bench()
                .call("unmap", () -> life.capability(BlockMapping.class).unmap(context, life.id(), pod));
    }

    private static Path parent(Path path) {
        return Optional.ofNullable(path.getParent()).orElse(path);
    }
}
