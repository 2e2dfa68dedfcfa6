// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;
import static dev.mooring.testkit.check.Checks.same;

import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.PublishRequestBuilder;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeSpecBuilder;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.Trial;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What has to be refused: what was not declared, what is elsewhere, what has no machine. */
final class RefusalChecks {
    private static final NodeRef ELSEWHERE = new NodeRef("kit-elsewhere", "kit-elsewhere-uid");
    private static final int LONGEST = 253;

    private RefusalChecks() {}

    static List<Check> of(Bench bench) {
        List<Check> checks = new ArrayList<>();
        boolean blocks = bench.plugin().capability(BlockMapping.class).isPresent();
        boolean options = bench.plugin().describe().supportsMountOptions();
        if (LifeStep.PROVISION.applies(bench)) {
            if (!blocks) {
                checks.add(Check.cold(
                        Rule.UNDECLARED_REFUSED,
                        "plan of a raw device",
                        on -> refusesPlan(on, request -> RequestVariants.with(request, VolumeMode.BLOCK))));
            }
            if (!options) {
                checks.add(Check.cold(
                        Rule.UNDECLARED_REFUSED,
                        "plan with mount options",
                        on -> refusesPlan(on, request -> RequestVariants.with(request, List.of("noatime")))));
            }
            if (bench.isOfNode()) {
                checks.add(Check.of(Rule.OTHER_NODE_REFUSED, "provision", RefusalChecks::provisionElsewhere));
                checks.add(Check.of(Rule.MACHINE_REQUIRED, "provision", RefusalChecks::provisionNowhere));
            }
            checks.add(Check.of(Rule.LONG_NAMES_DISTINCT, "provision", RefusalChecks::longNames));
        }
        if (bench.isOfNode() && LifeStep.PROVISION.undoable(bench) && LifeStep.PROVISION.applies(bench)) {
            checks.add(Check.of(Rule.OTHER_NODE_REFUSED, "delete", RefusalChecks::deleteElsewhere));
        }
        for (Trial trial : Trial.of(bench)) {
            LifeStep step = trial.step();
            if (step == LifeStep.PROVISION || step == LifeStep.ATTACH) {
                continue;
            }
            if (!blocks) {
                checks.add(Check.of(
                        Rule.UNDECLARED_REFUSED,
                        step.operation() + " of a raw device",
                        on -> refusesStep(on, step, volume -> VolumeLife.withMode(volume, VolumeMode.BLOCK))));
            }
            checks.add(Check.of(Rule.MACHINE_REQUIRED, trial.operation(), on -> nowhere(on, trial)));
        }
        return checks;
    }

    private static void refusesPlan(Bench bench, Function<ProvisionRequest, ProvisionRequest> change) {
        ProvisionRequest request = change.apply(bench.life(1).request());
        Outcome<VolumeTemplate> outcome = RequestVariants.planned(bench, request);
        require(
                outcome.isRefused(),
                Rule.UNDECLARED_REFUSED,
                "mode " + request.mode() + " with mount options " + request.mountOptions() + " was answered with "
                        + Answers.text(outcome));
    }

    private static void refusesStep(Bench bench, LifeStep step, Function<VolumeSpec, VolumeSpec> change) {
        VolumeLife life = bench.life(1);
        life.before(step);
        Set<String> before = bench.inventory();
        VolumeSpec odd = change.apply(life.spec());
        Outcome<?> outcome = call(life, step, odd);
        require(
                outcome.isRefused(),
                Rule.UNDECLARED_REFUSED,
                step.operation() + " in mode " + odd.mode() + " was answered with " + Answers.text(outcome));
        same(before, bench.inventory(), Rule.REFUSAL_CHANGES_NOTHING, "after the refusal of " + step.operation());
        life.end();
    }

    private static Outcome<?> call(VolumeLife life, LifeStep step, VolumeSpec volume) {
        if (step == LifeStep.STAGE) {
            StageRequest good = life.stageRequest();
            StageRequest request = new StageRequest(volume, good.stagingPath(), good.attached(), false);
            return life.bench()
                    .call("stage", () -> life.capability(Staging.class).stage(life.context("stage"), request));
        }
        PublishRequest good = life.publishRequest(life.pod(1), false);
        PublishRequest request = PublishRequestBuilder.builder()
                .volume(volume)
                .pod(good.pod())
                .target(good.target())
                .stagingPath(good.stagingPath())
                .occasion(PublishRequest.Occasion.INITIAL)
                .build();
        return life.bench()
                .call("publish", () -> life.capability(Publishing.class).publish(life.context("publish"), request));
    }

    static Outcome<VolumeTemplate> provision(VolumeLife life, ProvisionRequest request, OperationContext context) {
        Provisioning maker = life.capability(Provisioning.class);
        return life.bench()
                .call("provision", () -> maker.plan(request).then(plan -> maker.provision(context, request, plan)));
    }

    private static void provisionElsewhere(Bench bench) {
        VolumeLife life = bench.life(1);
        Set<String> before = bench.inventory();
        Outcome<VolumeTemplate> outcome = provision(
                life,
                RequestVariants.with(life.request(), ELSEWHERE, bench.nodeLabels(ELSEWHERE)),
                life.context("provision"));
        require(
                outcome.isRefused(),
                Rule.OTHER_NODE_REFUSED,
                "for " + ELSEWHERE + " but called on " + bench.subject().node() + " it answered "
                        + Answers.text(outcome));
        same(before, bench.inventory(), Rule.REFUSAL_CHANGES_NOTHING, "after the refusal of provision");
    }

    private static void provisionNowhere(Bench bench) {
        VolumeLife life = bench.life(1);
        Outcome<VolumeTemplate> outcome = provision(life, life.request(), life.nowhere("provision"));
        require(
                !outcome.isDone(),
                Rule.MACHINE_REQUIRED,
                "provision without a machine was answered with " + Answers.text(outcome));
    }

    private static void deleteElsewhere(Bench bench) {
        VolumeLife life = bench.life(1);
        life.must(LifeStep.PROVISION);
        Set<String> before = bench.inventory();
        Outcome<?> outcome = bench.call(
                "delete",
                () -> life.capability(Deleting.class).delete(life.elsewhere("delete", ELSEWHERE), life.spec()));
        require(
                !outcome.isDone(),
                Rule.OTHER_NODE_REFUSED,
                "on " + ELSEWHERE + " it answered " + Answers.text(outcome));
        same(before, bench.inventory(), Rule.OTHER_NODE_REFUSED, "deleted on " + ELSEWHERE + ", where it is not");
        life.end();
    }

    private static void nowhere(Bench bench, Trial trial) {
        LifeStep step = trial.step();
        VolumeLife life = trial.life(bench);
        life.before(step);
        Outcome<?> outcome = step.act(life, life.nowhere(step.operation()));
        require(
                !outcome.isDone(),
                Rule.MACHINE_REQUIRED,
                step.operation() + " without a machine was answered with " + Answers.text(outcome));
        life.end();
    }

    /** Two names that differ in their last letter only. */
    private static void longNames(Bench bench) {
        Set<String> before = bench.inventory();
        VolumeLife first = bench.life(1);
        VolumeLife second = bench.life(2);
        String name = "p".repeat(LONGEST - 1);
        Outcome<VolumeTemplate> one = provision(first, first.request(name + "a"), first.context("provision long"));
        Outcome<VolumeTemplate> two = provision(second, second.request(name + "b"), second.context("provision long"));
        Optional<VolumeId> oneId = planned(first, name + "a");
        Optional<VolumeId> twoId = planned(second, name + "b");
        require(
                oneId.isEmpty() || !oneId.equals(twoId),
                Rule.LONG_NAMES_DISTINCT,
                "two volumes whose long names differ at the end are both called " + oneId);
        require(
                one.isDone() || one.isRefused(),
                Rule.LONG_NAMES_DISTINCT,
                "a name of " + LONGEST + " characters was answered with " + Answers.text(one));
        if (LifeStep.PROVISION.undoable(bench)) {
            clear(first, name + "a", one, Rule.LONG_NAMES_DISTINCT);
            clear(second, name + "b", two, Rule.LONG_NAMES_DISTINCT);
            same(
                    before,
                    bench.inventory(),
                    Rule.LONG_NAMES_DISTINCT,
                    "after volumes with long names were made and deleted");
        }
    }

    private static Optional<VolumeId> planned(VolumeLife life, String name) {
        return RequestVariants.planned(life.bench(), life.request(name))
                .result()
                .map(plan -> life.bench().plugin().identify(plan.source()));
    }

    /** Deletes what was made under a name of its own. */
    static void clear(VolumeLife life, String name, Outcome<VolumeTemplate> made, Rule rule) {
        made.result().ifPresent(template -> {
            VolumeSpec plain = life.of(template.source());
            VolumeSpec volume = VolumeSpecBuilder.builder()
                    .name(name)
                    .uid(plain.uid())
                    .source(plain.source())
                    .accessModes(template.accessModes())
                    .mode(plain.mode())
                    .capacity(template.capacity())
                    .mountOptions(List.of())
                    .annotations(Map.copyOf(template.annotations()))
                    .build();
            Outcome<?> gone = VolumeLife.patiently(() -> life.bench()
                    .call(
                            "delete",
                            () -> life.capability(Deleting.class).delete(life.context("delete " + name), volume)));
            require(
                    gone.isDone(),
                    rule,
                    "the volume " + name + " was made, and its deletion answered with " + Answers.text(gone));
        });
    }
}
