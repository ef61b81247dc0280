// Checks what `policy log` makes with the code that checks Go's own module checksums: golang.org/x/mod/sumdb/note and tlog.
// Usage: go run verify.go FOLDER. Prints one line a check, `ok …` or `BAD …`; the exit code is 1 when any is bad.
//
// The folder holds: verifier and signer.key; hashes; checkpoint-SIZE (signed notes); record-NUMBER.tlog-proof;
// consistency-OLD.json. It writes signed-by-go, a note signed with signer.key.
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

var folder string
var bad bool

func report(ok bool, format string, args ...interface{}) {
	word := "ok "
	if !ok {
		word = "BAD"
		bad = true
	}
	fmt.Printf("%s %s\n", word, fmt.Sprintf(format, args...))
}

func read(name string) []byte {
	data, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		panic(err)
	}
	return data
}

// open gives the size and root of a signed checkpoint.
func open(signed []byte, verifier note.Verifier) (int64, tlog.Hash, error) {
	var root tlog.Hash
	opened, err := note.Open(signed, note.VerifierList(verifier))
	if err != nil {
		return 0, root, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < 4 || lines[0] != verifier.Name() {
		return 0, root, fmt.Errorf("not a checkpoint of %s", verifier.Name())
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return 0, root, err
	}
	root, err = tlog.ParseHash(lines[2])
	return size, root, err
}

func hashes(lines []string) []tlog.Hash {
	var path []tlog.Hash
	for _, line := range lines {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			panic(err)
		}
		path = append(path, hash)
	}
	return path
}

func names(pattern string) []string {
	found, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil {
		panic(err)
	}
	sort.Strings(found)
	for index, name := range found {
		found[index] = filepath.Base(name)
	}
	return found
}

func checkInclusion(name string, verifier note.Verifier, reader tlog.HashReader) {
	proof := string(read(name))
	split := strings.Index(proof, "\n\n")
	head := strings.Split(proof[:split], "\n")
	size, root, err := open([]byte(proof[split+2:]), verifier)
	if err != nil || head[0] != "c2sp.org/tlog-proof@v1" {
		report(false, "%s: %v", name, err)
		return
	}
	line, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(head[1], "extra "))
	if err != nil {
		panic(err)
	}
	index, err := strconv.ParseInt(strings.TrimPrefix(head[2], "index "), 10, 64)
	if err != nil {
		panic(err)
	}
	path := tlog.RecordProof(hashes(head[3:]))
	leaf := tlog.RecordHash(line)
	report(tlog.CheckRecord(path, size, root, index, leaf) == nil, "%s: record %d of %d, %d hashes", name, index, size, len(path))
	other := tlog.RecordHash(append(line, ' '))
	report(tlog.CheckRecord(path, size, root, index, other) != nil, "%s: another record is refused", name)
	report(tlog.CheckRecord(path, size, root, (index+1)%size, leaf) != nil, "%s: another place is refused", name)
	if len(path) > 0 {
		spoilt := append(tlog.RecordProof(nil), path...)
		spoilt[len(spoilt)-1][0] ^= 1
		report(tlog.CheckRecord(spoilt, size, root, index, leaf) != nil, "%s: a flipped bit is refused", name)
	}
	own, err := tlog.ProveRecord(size, index, reader)
	report(err == nil && fmt.Sprint(own) == fmt.Sprint(path), "%s: the same proof from the stored hashes", name)
}

func checkConsistency(name string, verifier note.Verifier, roots map[int64]tlog.Hash, reader tlog.HashReader) {
	var proof struct {
		Old struct {
			Size int64
			Root tlog.Hash
		}
		Path       []string
		Checkpoint string
	}
	if err := json.Unmarshal(read(name), &proof); err != nil {
		panic(err)
	}
	size, root, err := open([]byte(proof.Checkpoint), verifier)
	if err != nil {
		report(false, "%s: %v", name, err)
		return
	}
	old := proof.Old.Root
	if signed, known := roots[proof.Old.Size]; known {
		report(signed == old, "%s: the older root is the signed one", name)
	}
	path := tlog.TreeProof(hashes(proof.Path))
	report(tlog.CheckTree(path, size, root, proof.Old.Size, old) == nil, "%s: %d records begin %d", name, proof.Old.Size, size)
	old[0] ^= 1
	report(tlog.CheckTree(path, size, root, proof.Old.Size, old) != nil, "%s: another older root is refused", name)
	own, err := tlog.ProveTree(size, proof.Old.Size, reader)
	report(err == nil && fmt.Sprint(own) == fmt.Sprint(path), "%s: the same proof from the stored hashes", name)
}

func main() {
	folder = os.Args[1]
	verifier, err := note.NewVerifier(strings.TrimSpace(string(read("verifier"))))
	if err != nil {
		panic(err)
	}
	stored := read("hashes")
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		found := make([]tlog.Hash, len(indexes))
		for place, index := range indexes {
			copy(found[place][:], stored[index*tlog.HashSize:])
		}
		return found, nil
	})
	roots := map[int64]tlog.Hash{}
	for _, name := range names("checkpoint-*") {
		signed := read(name)
		size, root, err := open(signed, verifier)
		report(err == nil, "%s: signed by %s over %d records", name, verifier.Name(), size)
		roots[size] = root
		own, err := tlog.TreeHash(size, reader)
		report(err == nil && own == root, "%s: the same root from the stored hashes", name)
		signed[len(verifier.Name())+1] ^= 1
		_, _, err = open(signed, verifier)
		report(err != nil, "%s: a flipped bit is refused", name)
	}
	for _, name := range names("record-*.tlog-proof") {
		checkInclusion(name, verifier, reader)
	}
	for _, name := range names("consistency-*.json") {
		checkConsistency(name, verifier, roots, reader)
	}
	signer, err := note.NewSigner(strings.TrimSpace(string(read("signer.key"))))
	if err != nil {
		panic(err)
	}
	signed, err := note.Sign(&note.Note{Text: "written by Go\n"}, signer)
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "signed-by-go"), signed, 0o600); err != nil {
		panic(err)
	}
	if bad {
		os.Exit(1)
	}
}
