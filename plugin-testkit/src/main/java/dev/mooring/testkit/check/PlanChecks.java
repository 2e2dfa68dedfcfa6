// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;

import dev.mooring.storage.model.NodeSelector;
import dev.mooring.storage.model.VolumeNodeAffinity;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a plugin plans for a claim. */
final class PlanChecks {
    private static final String NAME = "metadata.name";
    private static final NodeRef ANOTHER = new NodeRef("kit-another-node", "kit-another-uid");

    private PlanChecks() {}

    static List<Check> of(Bench bench) {
        return LifeStep.PROVISION.applies(bench)
                ? List.of(
                        Check.of(Rule.PURE_PLAN, "plan", PlanChecks::plan),
                        Check.cold(Rule.UNKNOWN_PARAMETERS_REFUSED, "plan", PlanChecks::parameters))
                : List.of();
    }

    private static void plan(Bench bench) {
        ProvisionRequest request = bench.life(1).request();
        Outcome<VolumeTemplate> first = planned(bench, request);
        Outcome<VolumeTemplate> second = planned(bench, request);
        bench.restart();
        Outcome<VolumeTemplate> third = planned(bench, request);
        require(first.isDone(), Rule.PURE_PLAN, "a good request was answered with " + Answers.text(first));
        require(
                first.equals(second) && first.equals(third),
                Rule.PURE_PLAN,
                "equal requests were planned as " + Answers.text(first) + ", " + Answers.text(second) + " and "
                        + Answers.text(third));
        VolumeTemplate template = first.result().orElseThrow();
        require(
                template.capacity().compareTo(request.requested()) >= 0,
                Rule.PURE_PLAN,
                request.requested() + " were requested, " + template.capacity() + " planned");
        require(
                template.accessModes().containsAll(request.accessModes()),
                Rule.PURE_PLAN,
                request.accessModes() + " were requested, " + template.accessModes() + " planned");
        if (bench.isOfNode()) {
            place(bench, request, template);
        }
        List<FieldProblem> problems = bench.plugin().validate(template.source());
        require(problems.isEmpty(), Rule.PURE_PLAN, "the planned source is faulty: " + problems);
    }

    private static Outcome<VolumeTemplate> planned(Bench bench, ProvisionRequest request) {
        Outcome<VolumeTemplate> outcome = RequestVariants.planned(bench, request);
        boolean uncertain = outcome.isUncertain() || outcome.isInUseElsewhere();
        require(!uncertain, Rule.PURE_PLAN, "plan was answered with " + Answers.text(outcome));
        return outcome;
    }

    private static void parameters(Bench bench) {
        List<Map<String, String>> faulty = new ArrayList<>(bench.subject().faultyParameters());
        faulty.add(Map.of("kit.unknown", "1"));
        for (Map<String, String> parameters : faulty) {
            Outcome<VolumeTemplate> outcome =
                    planned(bench, RequestVariants.with(bench.life(1).request(), parameters));
            require(
                    VolumeLife.isRefused(outcome, Refusal.INVALID),
                    Rule.UNKNOWN_PARAMETERS_REFUSED,
                    "parameters " + parameters + " were answered with " + Answers.text(outcome));
        }
    }

    /** The data is on the node that was selected, which a planned affinity has to name as schedulers know it. */
    private static void place(Bench bench, ProvisionRequest request, VolumeTemplate template) {
        Optional<NodeSelector> required = template.nodeAffinity().flatMap(VolumeNodeAffinity::required);
        require(
                required.isPresent(),
                Rule.PURE_PLAN,
                "the data is on a node, and the planned nodeAffinity does not say on which");
        NodeSelector nodes = required.orElseThrow();
        require(
                !nodes.matches(bench.nodeLabels(ANOTHER), Map.of(NAME, ANOTHER.name())),
                Rule.PURE_PLAN,
                "the data is on a node, and the planned nodeAffinity admits " + ANOTHER.name() + " with the labels "
                        + bench.nodeLabels(ANOTHER) + ": " + nodes);
        NodeRef node = request.selectedNode().orElseThrow();
        require(
                nodes.matches(request.nodeLabels(), Map.of(NAME, node.name())),
                Rule.PURE_PLAN,
                "node " + node.name() + " has the labels " + request.nodeLabels()
                        + ", and the planned nodeAffinity does not admit it: " + nodes
                        + "; other labels of nodes are for the test to say, by nodeLabels()");
    }
}
